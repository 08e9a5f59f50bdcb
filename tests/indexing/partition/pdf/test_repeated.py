"""Letters that are drawn as several shapes, whose text the file writes once for all of them."""

from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.letters import raw_text
from indexing.partition.pdf.repeated import repeated
from tests.files.hostile_pdfs import pdf, stream

WIDE = 24
"""Where the dot below the i is drawn: n begins before it."""

NARROW = 8

CMAP = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfchar "
    b"<61> <0627> <71> <0642> endbfchar endcmap"
)


def test_a_letter_with_a_shape_behind_the_next_one_is_returned_once_more(tmp_path: Path) -> None:
    raw, again = letters_of(draw(tmp_path, dot=WIDE))

    assert raw.replace(" ", "") == "xịnịh"
    assert again == [raw.rindex("ị")]


def test_such_a_letter_is_read_once(tmp_path: Path) -> None:
    (page,) = open_pdf(draw(tmp_path, dot=WIDE)).pages

    assert [block.text for block in page.blocks] == ["xịnh\nxịnh"]


def test_a_letter_whose_shapes_follow_each_other_is_there_once(tmp_path: Path) -> None:
    raw, again = letters_of(draw(tmp_path, dot=NARROW))

    assert raw.replace(" ", "") == "xịnh"
    assert again == []


@pytest.mark.parametrize("tag", ["/Span <</Lang (vi)>> BDC", "/Span BMC"])
def test_shapes_without_a_text_of_their_own_are_all_read(tmp_path: Path, tag: str) -> None:
    raw, again = letters_of(draw(tmp_path, dot=WIDE, tag=tag))

    assert sorted(raw.replace(" ", "")) == sorted("xin.h")
    assert again == []


def test_a_letter_comes_as_often_as_its_text_has_it(tmp_path: Path) -> None:
    path = draw(tmp_path, dot=NARROW, tag="/Span <</ActualText (still)>> BDC")

    raw, again = letters_of(path)

    assert raw.replace(" ", "") == "xstillnh"
    assert again == []


def test_a_mark_that_comes_apart_from_its_letter_is_there_once(tmp_path: Path) -> None:
    tanween = b"/Span <</ActualText <FEFF0627064B>>> BDC " + shown(20, 160, "a") + b"EMC "
    path = write(tmp_path, tanween + shown(34, 160, "q") + shown(48, 160, "q"))

    raw, again = letters_of(path)

    assert raw == "\u0627\u0642\u0642\u064b"
    assert again == []


def letters_of(path: Path) -> tuple[str, list[int]]:
    """Return the first line of the page as PDFium has it, and where letters come again in it."""
    with pypdfium2.PdfDocument(path) as document:
        textpage = document[0].get_textpage()
        raw = raw_text(textpage)
        line = raw.split("\r\n", maxsplit=1)[0]
        return line, np.flatnonzero(repeated(textpage, raw)[: len(line)]).tolist()


def draw(folder: Path, *, dot: int, tag: str = "/Span <</ActualText <FEFF1ECB>>> BDC") -> Path:
    """Return a PDF of a word twice below each other, whose second letter is an i and a dot."""
    words = [
        shown(20, y, "x")
        + f"{tag} ".encode()
        + shown(32, y, "i")
        + shown(32 + dot, y, ".")
        + b"EMC "
        + shown(42, y, "n")
        + shown(56, y, "h")
        for y in (200, 160)
    ]
    blank = shown(70, 200, " ")
    return write(folder, words[0] + blank + words[1])


def write(folder: Path, content: bytes) -> Path:
    """Return a PDF of a page with this content; a and q stand for an alef and a qaf."""
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R"
    resources = b" /Resources << /Font << /F 5 0 R >> >> >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    path = folder / "shapes.pdf"
    path.write_bytes(pdf({3: page + resources, 4: stream(content), 5: font, 6: stream(CMAP)}))
    return path


def shown(x: float, y: float, text: str) -> bytes:
    return f"BT /F 24 Tf {x} {y} Td ({text}) Tj ET ".encode()
