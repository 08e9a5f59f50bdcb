"""Arabic letters whose dots are shapes of their own, as Chromium and LibreOffice draw them.

The letters b, y and a stand for an Arabic beh, yeh and alef; a dot stands for the dots of one.
"""

from pathlib import Path

import pypdfium2

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.letters import raw_text
from indexing.partition.pdf.shapes import with_shapes
from tests.files.hostile_pdfs import pdf, stream

ARABIC = str.maketrans("bya", "\u0628\u064a\u0627")
CMAP = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 5 beginbfchar "
    b"<61> <0627> <62> <0628> <79> <064a> <20> <0020> <2e> <002e> endbfchar endcmap"
)
LINE = 150.0


def test_words_with_dots_far_from_the_line_are_read_whole(tmp_path: Path) -> None:
    (page,) = open_pdf(draw(tmp_path, "ab yab bab aba ba yab")).pages

    (block,) = page.blocks
    assert block.text == "ab yab bab aba ba yab".translate(ARABIC)


def test_such_a_letter_stands_where_all_its_shapes_do(tmp_path: Path) -> None:
    with pypdfium2.PdfDocument(draw(tmp_path, "aab")) as document:
        page = document[0]
        textpage = page.get_textpage()
        raw = raw_text(textpage)
        shaped = with_shapes(page, textpage, raw)
        size = page.get_size()

    assert shaped is not None
    written, boxes = shaped
    at = written.index("b".translate(ARABIC))
    _, top, _, bottom = boxes[at] * (size * 2)
    assert top < size[1] - LINE - 5  # of the letter
    assert bottom > size[1] - LINE + 15  # of the dot


def test_letters_of_one_shape_each_are_left_to_their_font(tmp_path: Path) -> None:
    with pypdfium2.PdfDocument(draw(tmp_path, "aa aaa")) as document:
        page = document[0]
        textpage = page.get_textpage()

        assert with_shapes(page, textpage, raw_text(textpage)) is None


def test_lines_below_each_other_stay_apart(tmp_path: Path) -> None:
    with pypdfium2.PdfDocument(draw(tmp_path, "ab ab", "ba ba")) as document:
        page = document[0]
        textpage = page.get_textpage()
        shaped = with_shapes(page, textpage, raw_text(textpage))

    assert shaped is not None
    assert [len(line.split()) for line in shaped[0].splitlines()] == [2, 2]


def draw(folder: Path, *lines: str) -> Path:
    """Return a PDF of these lines, each written from the right, its spaces drawn by themselves."""
    content = b""
    for number, line in enumerate(lines):
        x, y = 400.0, LINE - 60 * number
        for letter in line:
            x -= 4 if letter == " " else 12
            base = shown(x, y, letter)
            dot = shown(x + 5, y - 18, ".")
            content += base if letter in "a " else named(letter, dot + base)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 450 300] /Contents 4 0 R"
    resources = b" /Resources << /Font << /F 5 0 R >> >> >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R >>"
    path = folder / "shapes.pdf"
    path.write_bytes(pdf({3: page + resources, 4: stream(content), 5: font, 6: stream(CMAP)}))
    return path


def shown(x: float, y: float, text: str) -> bytes:
    return f"BT /F 20 Tf {x} {y} Td ({text}) Tj ET ".encode()


def named(letter: str, shapes: bytes) -> bytes:
    name = b"FEFF" + letter.translate(ARABIC).encode("utf-16-be").hex().encode()
    return b"/Span << /ActualText <%s> >> BDC %s EMC " % (name, shapes)
