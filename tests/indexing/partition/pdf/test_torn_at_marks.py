"""Arabic words whose tanween stands high above the line, as LibreOffice and others draw it.

The letters a and q stand for an alef and a qaf, the comma for the tanween.
"""

from pathlib import Path

import pypdfium2

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.letters import raw_text
from indexing.partition.pdf.torn_at_marks import with_whole_lines
from tests.files.hostile_pdfs import pdf, stream

ARABIC = str.maketrans("aq,", "\u0627\u0642\u064b")
CMAP = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 4 beginbfchar "
    b"<61> <0627> <71> <0642> <2c> <064b> <20> <0020> endbfchar endcmap"
)
LINE = 200.0
HIGH = 12


def test_a_line_torn_at_a_mark_is_read_whole(tmp_path: Path) -> None:
    path = draw(tmp_path, "qqa qa, aq aqqa")

    (page,) = open_pdf(path).pages

    assert [block.text for block in page.blocks] == ["qqa qa, aq aqqa".translate(ARABIC)]


def test_lines_below_each_other_stay_apart(tmp_path: Path) -> None:
    path = draw(tmp_path, "qqa qa, aq aqqa", "aq qa")

    (page,) = open_pdf(path).pages

    lines = "\n".join(block.text for block in page.blocks)
    assert lines == "qqa qa, aq aqqa\naq qa".translate(ARABIC)


def test_lines_without_a_mark_at_an_end_are_as_they_were(tmp_path: Path) -> None:
    with pypdfium2.PdfDocument(draw(tmp_path, "qqa qa", "aq aqqa")) as document:
        page = document[0]
        textpage = page.get_textpage()

        assert with_whole_lines(page, textpage, raw_text(textpage), None) is None


def draw(folder: Path, *lines: str) -> Path:
    """Return a PDF of these lines, drawn as they are seen, from the left to the right."""
    content = b""
    for number, line in enumerate(lines):
        before, mark, behind = line.partition(",")
        x, y = 400 - 12 * len(line.replace(",", "")), LINE - 60 * number
        # An empty word ends each text, as that of a line that is drawn in one go.
        seen = [(behind[::-1], 0), (mark, HIGH), (before[::-1], 0)]
        texts = b" ".join(
            b"%d Ts [(%s) %d] TJ" % (rise, text.encode(), 600 if rise else 0)
            for text, rise in seen
            if text
        )
        content += b"BT /F 20 Tf %d %d Td %s ET " % (x, y, texts)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 450 300] /Contents 4 0 R"
    resources = b" /Resources << /Font << /F 5 0 R >> >> >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R >>"
    path = folder / "marks.pdf"
    path.write_bytes(pdf({3: page + resources, 4: stream(content), 5: font, 6: stream(CMAP)}))
    return path
