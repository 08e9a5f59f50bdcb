import contextlib
import subprocess
import sys
import time
import zipfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from docx import Document
from docx.oxml import OxmlElement
from PIL import Image
from pptx import Presentation

from indexing.partition.office import libreoffice
from indexing.partition.office.libreoffice import (
    ConversionFailed,
    Converter,
    build_of,
    converted,
    pdf_page_texts,
    socket_of,
)
from indexing.partition.office.placed_pictures import drawn_shapes
from tests.ke_process import wait_for
from tests.libreoffice import needs_libreoffice
from tests.readers import has_filter, has_landlock

FILES = Path(__file__).parents[3] / "files"


def test_the_text_of_each_page_is_read() -> None:
    first, second, _ = pdf_page_texts(FILES / "warehouse-lease.pdf")

    assert "WAREHOUSE LEASE" in first
    assert "Rent and Deposit" in second


@needs_libreoffice
def test_pages_are_laid_out() -> None:
    with converted(FILES / "supplier-handbook.docx", "docx", ["pdf"]) as (pdf,):
        pages = pdf_page_texts(pdf)

    assert [" ".join(page.split())[33:41] for page in pages] == ["Ordering", "Payment "]


@needs_libreoffice
@pytest.mark.parametrize(
    "text",
    [
        'החברה Acme Ltd. (להלן: "החברה") שילמה 1,234.50 עבור INV-2024-023, עלייה של 12.5%.',
        "دفعت Acme Holdings Ltd. (الشركة أدناه) مبلغ 1,234.50 في 31/12/2023، أي 12.5% لا أكثر.",
    ],
    ids=["Hebrew", "Arabic"],
)
def test_what_is_written_from_right_to_left_is_read_so(tmp_path: Path, text: str) -> None:
    document = Document()
    paragraph = document.add_paragraph()
    paragraph._p.get_or_add_pPr().append(OxmlElement("w:bidi"))
    paragraph.add_run(text)._r.get_or_add_rPr().append(OxmlElement("w:rtl"))
    document.save(str(tmp_path / "letter"))

    with converted(tmp_path / "letter", "docx", ["pdf"]) as (pdf,):
        (page,) = pdf_page_texts(pdf)

    assert page.split() == text.split()


@needs_libreoffice
def test_a_result_lasts_as_long_as_it_is_used() -> None:
    with converted(FILES / "supplier-handbook.docx", "docx", ["odt", "pdf"]) as (odt, pdf):
        assert odt.read_bytes().startswith(b"PK")
        assert pdf.read_bytes().startswith(b"%PDF-")

    assert not pdf.parent.exists()


@needs_libreoffice
def test_how_it_draws_is_not_tried_first() -> None:
    with converted(FILES / "letter.rtf", "rtf", ["pdf"]) as (pdf,):
        profile = pdf.parent / "profile" / "user"

        assert profile.is_dir()
        assert not (profile / "GraphicsRenderTests.log").exists()


@needs_libreoffice
def test_it_is_started_once_for_each_result() -> None:
    converter = Converter(FILES / "letter.rtf")
    started = set()
    with ThreadPoolExecutor(1) as beside:
        made = beside.submit(converter.convert, "rtf", ["pdf"], None)
        while not made.done():
            parents = programs_of(converter)
            # What it starts itself has its name for a moment.
            started |= {pid for pid, parent in parents.items() if parent not in parents}
            time.sleep(0.02)
    converter.close()

    assert len(made.result()) == len(started) == 1


def programs_of(converter: Converter) -> dict[int, int]:
    """Return the processes that are LibreOffice itself, each with its parent."""
    parents = {}
    for process in psutil.Process(converter._program.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if process.name() == "soffice.bin":
                parents[process.pid] = process.ppid()
    return parents


def test_its_build_is_told_by_the_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "versionrc").write_text("[Version]\nProductMajor=258\nbuildid=40(Build:2)\n")

    assert build_of(tmp_path / "soffice") == "40(Build:2)"
    assert build_of(tmp_path / "elsewhere" / "soffice") == ""


@needs_libreoffice
def test_another_content_is_converted_and_the_file_stays(tmp_path: Path) -> None:
    letter = tmp_path / "letter.rtf"
    letter.write_bytes(rb"{\rtf1 first}")
    converter = Converter(letter)
    converter.convert("rtf", ["pdf"], None)

    (pdf,) = converter.convert("rtf", ["pdf"], rb"{\rtf1 second}")

    assert pdf_page_texts(pdf) == ["second"]
    assert letter.read_bytes() == rb"{\rtf1 first}"
    converter.close()


@needs_libreoffice
def test_hidden_slides_are_pages_too(tmp_path: Path) -> None:
    slides = Presentation(str(FILES / "quarterly-review.pptx"))
    slides.slides[0]._element.set("show", "0")
    slides.save(str(tmp_path / "review"))

    with converted(tmp_path / "review", "pptx", ["pdf"]) as (pdf,):
        pages = pdf_page_texts(pdf)

    assert len(pages) == len(slides.slides)


@needs_libreoffice
@pytest.mark.skipif(not has_landlock(), reason="this system has no Landlock")
def test_files_of_the_server_are_not_shown(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    Image.new("RGB", (40, 40), "red").save(picture)
    own = write_slide(tmp_path / "own", "picture.png", {"picture.png": picture.read_bytes()})
    spy = write_slide(tmp_path / "spy", picture.as_uri())

    pictures = []
    for slide in (own, spy):
        with converted(slide, "odp", ["pdf"]) as (pdf,):
            pictures += drawn_shapes(pdf)

    assert pictures == [[1.0], []]


@needs_libreoffice
def test_who_converts_has_no_network() -> None:
    with started(FILES / "supplier-handbook.docx") as program:
        assert program.stdout is not None
        program.stdout.readline()
        is_banned = has_filter(program.pid)
        program.communicate(timeout=10)

    assert is_banned


def test_program_that_dies_at_once_converts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nowhere")

    with (
        pytest.raises(ConversionFailed, match="has no folder"),
        converted(FILES / "supplier-handbook.docx", "docx", ["pdf"]),
    ):
        pass


@needs_libreoffice
def test_what_cannot_be_converted_says_so(tmp_path: Path) -> None:
    (tmp_path / "broken").write_bytes(b"PK\x03\x04 nothing more")

    with (
        pytest.raises(ConversionFailed, match="could not convert"),
        converted(tmp_path / "broken", "docx", ["pdf"]),
    ):
        pass


@needs_libreoffice
def test_nothing_is_left_when_the_one_who_asked_is_gone() -> None:
    source = FILES / "supplier-handbook.docx"
    with started(source) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        folder = Path(program.stdout.readline().decode().rstrip("\n"))
        assert folder.is_dir()
        program.stdin.write(b"docx pdf\n")
        program.stdin.flush()
        office = first_child(program.pid)
        socket = socket_of((folder / "profile").as_uri())
        wait_for(socket.exists)
        program.stdin.close()
        program.wait(timeout=10)

    assert not office.is_running() or office.status() == psutil.STATUS_ZOMBIE
    assert not folder.exists()
    assert not socket.exists()


@needs_libreoffice
@pytest.mark.parametrize(
    "order", ["../../evil pdf", "docx ../evil", "docx pdf:x", "instead ../evil YQ=="]
)
def test_who_asks_names_no_other_place(order: str) -> None:
    with started(FILES / "supplier-handbook.docx") as program:
        assert program.stdout is not None
        folder = Path(program.stdout.readline().decode().rstrip("\n"))
        said, _ = program.communicate(f"{order}\n".encode(), timeout=10)

    assert said == b""
    assert not folder.exists()


def write_slide(path: Path, address: str, parts: Mapping[str, bytes] | None = None) -> Path:
    """Write a presentation of one slide, which shows the picture at an address."""
    kind = "application/vnd.oasis.opendocument.presentation"
    open_document = "urn:oasis:names:tc:opendocument:xmlns:"
    names = " ".join(
        f'xmlns:{name}="{open_document}{uri}:1.0"'
        for name, uri in [("office", "office"), ("draw", "drawing"), ("svg", "svg-compatible")]
    )
    entries = [("/", kind), ("content.xml", "text/xml"), *((name, "") for name in parts or {})]
    listed = "".join(
        f'<m:file-entry m:full-path="{name}" m:media-type="{media}"/>' for name, media in entries
    )
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", kind)
        package.writestr(
            "META-INF/manifest.xml",
            f'<m:manifest xmlns:m="{open_document}manifest:1.0">{listed}</m:manifest>',
        )
        package.writestr(
            "content.xml",
            f'<office:document-content {names} xmlns:xlink="http://www.w3.org/1999/xlink">'
            '<office:body><office:presentation><draw:page draw:name="one">'
            '<draw:frame svg:width="3cm" svg:height="3cm" svg:x="1cm" svg:y="1cm">'
            f'<draw:image xlink:href="{address}" xlink:type="simple" xlink:show="embed"'
            ' xlink:actuate="onLoad"/></draw:frame></draw:page></office:presentation>'
            "</office:body></office:document-content>",
        )
        for name, content in (parts or {}).items():
            package.writestr(name, content)
    return path


def started(source: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", libreoffice.__name__, str(source.resolve())]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def first_child(pid: int) -> psutil.Process:
    """Return the first child, once it is the program that it was made for."""
    parent = psutil.Process(pid)
    for _ in range(500):
        # Empty while it is just becoming that program.
        if (children := parent.children()) and children[0].cmdline() not in ([], parent.cmdline()):
            return children[0]
        time.sleep(0.01)
    raise TimeoutError
