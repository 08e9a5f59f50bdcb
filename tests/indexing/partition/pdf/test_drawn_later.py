"""PDFs as LibreOffice writes them: what the font of a text lacks is drawn behind the line.

Each line is two objects, and each leaves gaps for the letters of the other. All are equally wide.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pypdfium2
import pytest

from indexing.boxes import Shares
from indexing.partition.pdf.boxes import Spans
from indexing.partition.pdf.drawn_later import lines_in_order
from indexing.partition.pdf.letters import page_letters, raw_text
from tests.files.hostile_pdfs import pdf, stream

WIDTH, SIZE = 5, 10  # in points: of every letter, and of the font
LEFT, TOP = 20, 250
LATER = "✓☐☒₽₺ễứừợẽềởẵươư東京"
"""What the fonts of these texts do not have."""

MOST = "Most letters of the page are those of any font."

Object = tuple[float, float, int, Sequence[str]]
"""Where it begins, the size of its letters, and these."""


@pytest.mark.parametrize(
    "line",
    [
        "the lease holds ✓ and ☐ open, ☒ closed",
        "price ₽ 500 or ₺ 300",
        "Nguyễn Văn Đức in 東京 (Japan)",
        "vừa qua, hợp tác",
        "Đà và sẽ ",
        "Đi nhiều",
        "ở Đà Nẵng, hợp",
        "☐ no ☒ yes",
        "Сумма ₽ 500, ☐ открыто",
    ],
)
def test_what_is_drawn_later_is_read_where_it_stands(line: str, tmp_path: Path) -> None:
    assert read(draw(tmp_path, line, MOST)) == f"{line.rstrip()}\n{MOST}"


def test_a_font_may_lack_latin_letters(tmp_path: Path) -> None:
    path = draw(tmp_path, "को धन (SM15259) को", later="SM")

    assert read(path) == "को धन (SM15259) को"


def test_a_font_may_lack_figures_and_commas_where_another_script_is_written(tmp_path: Path) -> None:
    path = draw(tmp_path, "को धन को धन", "No. 2024/17, 5 May", later="./, 012457")

    assert read(path) == "को धन को धन\nNo. 2024/17, 5 May"


def test_a_sign_drawn_over_a_text_is_none_of_its_letters(tmp_path: Path) -> None:
    path = draw(tmp_path, "a lease until May", objects=[(LEFT + 3.5 * WIDTH, TOP, SIZE, "✓")])

    assert read(path) == "a lease until May ✓"


def test_a_cell_half_a_line_below_is_no_part_of_such_a_line() -> None:
    text = "Ti n nhà: đã tr  n ề ả ợ 12 500"
    lefts = [*range(19), 2, 2, 15, 15, 18, 18, *range(30, 36)]
    tops = [0] * 25 + [5] * 6
    sides = [(5 * x, top, 5 * x + 5, top + 7) for x, top in zip(lefts, tops, strict=True)]
    boxes = np.array(sides) / 300

    def places(spans: Spans) -> Shares:
        return np.array([boxes[start] for start, _ in spans])

    (line,) = lines_in_order(text, places, (300, 300))

    assert line.text.split() == ["Tiền", "nhà:", "đã", "trả", "nợ"]


def test_words_stand_where_their_letters_do(tmp_path: Path) -> None:
    with pypdfium2.PdfDocument(draw(tmp_path, "a Đức ✓ b ✓")) as document:
        page = document[0]
        textpage = page.get_textpage()
        letters = page_letters(page, textpage, raw_text(textpage))
        ats = [letters.text.index(word) for word in ("Đức", "✓ b")]

        places = letters.places(page, textpage, [(at, at + 3) for at in ats]) * 300

    assert places[:, 0] == pytest.approx([LEFT + 2 * WIDTH, LEFT + 6 * WIDTH], abs=0.1)
    assert places[:, 2] == pytest.approx([LEFT + 5 * WIDTH, LEFT + 9 * WIDTH], abs=0.5)


def test_a_power_below_such_a_line_stays_one(tmp_path: Path) -> None:
    power = (LEFT + 8 * WIDTH, TOP - 15, 5, "6")

    path = draw(tmp_path, "holds ✓ and", "about 10", objects=[power])

    assert read(path) == "holds ✓ and\nabout 10^6"


def read(path: Path) -> str:
    """Return the text of the page as we have it."""
    with pypdfium2.PdfDocument(path) as document:
        textpage = document[0].get_textpage()
        text = page_letters(document[0], textpage, raw_text(textpage)).text
    return "\n".join(line.rstrip() for line in text.splitlines())


def draw(folder: Path, *lines: str, later: str = LATER, objects: Sequence[Object] = ()) -> Path:
    """Return a PDF of these lines, of which some letters are drawn later, and of objects."""
    texts: list[Object] = [
        (LEFT, TOP - 20 * number, SIZE, [one if one in letters else "" for one in line])
        for number, line in enumerate(lines)
        for letters in (set(line).difference(later), set(later))
    ]
    texts += objects
    known = dict.fromkeys(one for *_, letters in texts for one in letters if one)
    codes = {letter: 33 + number for number, letter in enumerate(known)}
    names = b" ".join(b"<%02x> <%04x>" % (code, ord(one)) for one, code in codes.items())
    cmap = b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange %d beginbfchar %s "
    path = folder / "drawn-later.pdf"
    path.write_bytes(
        pdf(
            {
                3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R "
                b"/Resources << /Font << /F 5 0 R >> >> >>",
                4: stream(b"".join(shown(text, codes) for text in texts if any(text[-1]))),
                5: b"<< /Type /Font /Subtype /TrueType /BaseFont /Courier /ToUnicode 6 0 R "
                b"/FirstChar 33 /LastChar 255 /Widths [%s] >>" % b" ".join([b"500"] * 223),
                6: stream(cmap % (len(codes), names) + b"endbfchar endcmap"),
            }
        )
    )
    return path


def shown(text: Object, codes: Mapping[str, int]) -> bytes:
    """Return what draws these letters; for one that is empty a gap is left."""
    x, y, size, letters = text
    first = next(at for at, one in enumerate(letters) if one)
    parts = b" ".join(b"<%02x>" % codes[one] if one else b"-500" for one in letters[first:])
    return b"BT /F %d Tf %.1f %.1f Td [%s] TJ ET " % (size, x + first * WIDTH, y, parts)
