from pathlib import Path

import docx
import docx.shared
import pytest

from indexing.partition.office.libreoffice import converted
from indexing.partition.open_document.document import open_odp, open_odt
from indexing.types import Page, ReadBy
from tests.files.drawn import draw_lines
from tests.indexing.partition.open_documents import frame, image, write_with_picture
from tests.libreoffice import needs_libreoffice

SAID = "Twelve lamps at gate three"


@pytest.fixture
def note(tmp_path: Path) -> Path:
    """A picture of a line of text."""
    draw_lines([[SAID]], (640, 300), 28).save(tmp_path / "note.png")
    return tmp_path / "note.png"


def text_page(path: Path) -> Page:
    (page,) = open_odt(path).pages
    return page


def texts(page: Page) -> list[str]:
    return [f"{block.header}{block.text}" for block in page.blocks]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param(
            f"<text:p>before {frame(image())}behind</text:p><text:p>last</text:p>",
            ["before behind", SAID, "last"],
            id="in a paragraph",
        ),
        pytest.param(frame(image()), [SAID], id="on the page"),
        pytest.param(frame(image("./Pictures/note.png")), [SAID], id="named from its folder"),
        pytest.param(
            frame(image("Pictures/note.svg") + image()), [SAID], id="in two forms, the second"
        ),
        pytest.param(frame(image() + image()), [SAID], id="in two forms, one of them"),
        pytest.param(
            frame(f"<draw:text-box>{frame(image())}<text:p>below</text:p></draw:text-box>"),
            [SAID, "below"],
            id="in a box",
        ),
        pytest.param(
            frame(
                "<table:table><table:table-row><table:table-cell><text:p>a</text:p>"
                "</table:table-cell></table:table-row></table:table>" + image()
            ),
            ["a"],
            id="of a table",
        ),
        pytest.param(
            "<text:p>a</text:p>" + frame(image(), 'svg:width="0.8cm" svg:height="0.8cm"'),
            ["a"],
            id="a logo",
        ),
        pytest.param("<text:p>a</text:p>" + frame(image(), ""), ["a"], id="of no size"),
        *(
            pytest.param(f"<text:p>a</text:p>{frame(image(place))}", ["a"], id=name)
            for name, place in (
                ("linked", "https://example.com/note.png"),
                ("beside the document", "../note.png"),
                ("on the server", "/etc/hostname"),
                ("missing", "Pictures/other.png"),
            )
        ),
    ],
)
def test_what_is_recognised_stands_where_the_picture_stands(
    body: str, expected: list[str], note: Path, tmp_path: Path
) -> None:
    page = text_page(write_with_picture(tmp_path / "document", body, note))

    assert texts(page) == expected
    assert page.warning == ""


def test_a_picture_in_a_cell_is_its_value(note: Path, tmp_path: Path) -> None:
    cells = (
        f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>"
        for cell in ("Note", frame(image()))
    )
    body = f"<table:table><table:table-row>{''.join(cells)}</table:table-row></table:table>"

    page = text_page(write_with_picture(tmp_path / "document", body, note))

    assert texts(page) == [f"Note | {SAID}"]


def test_a_damaged_picture_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "bad.png").write_bytes(b"none")

    page = text_page(
        write_with_picture(tmp_path / "document", frame(image()), tmp_path / "bad.png")
    )

    assert page.warning.startswith("1 of the pictures on page 1 cannot be read: it is damaged")


def test_pictures_of_slides_are_read_on_theirs(note: Path, tmp_path: Path) -> None:
    slides = (
        f"<draw:page>{frame('<draw:text-box><text:p>One</text:p></draw:text-box>')}</draw:page>"
        f"<draw:page>{frame(image())}</draw:page>"
    )
    path = write_with_picture(tmp_path / "document", slides, note, "presentation")

    one, two = open_odp(path).pages
    (again,) = open_odp(path, 1).pages

    assert (texts(one), texts(two)) == (["One"], [SAID])
    assert (two.read_by, two.pictures) == (ReadBy.OCR, 1)
    assert again == two


@needs_libreoffice
def test_a_picture_is_on_the_page_that_it_is_laid_out_on(note: Path, tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("The first page is about lamps and the gates they are brought to.")
    document.add_page_break()
    document.add_paragraph("The second page has a note that somebody wrote at one of the gates.")
    document.add_picture(str(note), width=docx.shared.Cm(12))
    document.save(str(tmp_path / "letter"))

    with converted(tmp_path / "letter", "docx", ["odt"]) as (odt,):
        opened = open_odt(odt)
        first, second = opened.pages

    assert opened.page_count == 2
    assert SAID not in texts(first)
    assert texts(second)[1:] == [SAID]
