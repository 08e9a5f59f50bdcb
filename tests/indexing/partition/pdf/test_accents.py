"""PDFs as TeX writes them: an accent is drawn by itself, over or under its letter.

In these texts each accent is drawn where the letter behind it is; behind a `|` it has a place of
its own. All letters are equally wide.
"""

import re
import string
from collections.abc import Sequence
from pathlib import Path

import pytest

from indexing.partition.pdf.accents import MAX_ACCENTS
from indexing.partition.pdf.document import open_pdf
from tests.files.hostile_pdfs import pdf, stream

ACCENTS = "`´ˆ˜¨ˇ˘¯˚˙¸˛˝"
WIDTH, RISE = 5, 2.2  # in points: of every letter, and of an accent over a capital


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        ("Die Straße nach M¨unchen, K¨oln", "Die Straße nach München, Köln"),
        ("Jos´e Garc´ıa, na¨ıve d´ej`a vu", "José García, naïve déjà vu"),
        ("le gar¸con re¸cu de la forˆet", "le garçon reçu de la forêt"),
        ("Erd˝os und L´od´z, ma˜nana, ˘a ¯o", "Erdős und Lódź, mañana, ă ō"),
    ],
)
def test_an_accent_is_put_onto_its_letter(drawn: str, read: str, tmp_path: Path) -> None:
    assert text_of(draw(tmp_path, drawn)) == read


def test_an_accent_stands_higher_over_a_capital(tmp_path: Path) -> None:
    path = draw(tmp_path, "ˇCapek in ¨Osterreich, l’ˆIle ´ElyÉe, ˚Arhus")

    assert text_of(path) == "Čapek in Österreich, l’Île ÉlyÉe, Århus"


def test_of_two_lines_it_belongs_to_the_nearer_one(tmp_path: Path) -> None:
    path = draw(tmp_path, "an opera in aula", "an ¨Opera in Aula")

    assert text_of(path) == "an opera in aula\nan Öpera in Aula"


@pytest.mark.parametrize("text", ["I don|´t know", "a code |`ls|` here", "a b |¨ c"])
def test_a_sign_with_a_place_of_its_own_stays(text: str, tmp_path: Path) -> None:
    assert text_of(draw(tmp_path, text)) == text.replace("|", "")


def test_an_accent_over_a_letter_that_has_none_stays(tmp_path: Path) -> None:
    assert "˝" in text_of(draw(tmp_path, "the ˝k of it"))


def test_a_word_broken_at_the_end_of_a_line_is_put_together(tmp_path: Path) -> None:
    path = draw(tmp_path, "ein ¨Offnen der Brief-", "kuverts")

    assert text_of(path) == "ein Öffnen der Briefkuverts"


def test_a_page_of_more_accents_than_any_text_has_is_left_as_it_is(tmp_path: Path) -> None:
    lines = ["¨u" * 50] * (1 + MAX_ACCENTS // 50)

    assert "ü" not in text_of(draw(tmp_path, *lines))


def text_of(path: Path) -> str:
    (page,) = open_pdf(path).pages
    return "\n".join(block.text for block in page.blocks)


def draw(folder: Path, *lines: str) -> Path:
    """Return a PDF of these lines, as they are seen."""
    drawn = "".join(dict.fromkeys("".join(lines).replace("|", "")))
    codes = {letter: 33 + number for number, letter in enumerate(drawn)}
    content = b""
    for number, line in enumerate(lines):
        x, y = 20.0, 780 - 12.0 * number
        for accent, letters in re.findall(f"(?<![|])([{ACCENTS}])?((?:[|].|[^{ACCENTS}])*)", line):
            if accent:
                rise = RISE if letters[0] in string.ascii_uppercase else 0
                content += shown(x, y + rise, [codes[accent]])
            letters = letters.replace("|", "")
            content += shown(x, y, [codes[letter] for letter in letters])
            x += WIDTH * len(letters)
    names = b" ".join(b"<%02x> <%04x>" % (code, ord(one)) for one, code in codes.items())
    cmap = b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange %d beginbfchar %s "
    widths = b" ".join([b"500"] * 223)
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 800] /Contents 4 0 R"
    path = folder / "accents.pdf"
    path.write_bytes(
        pdf(
            {
                3: page + b" /Resources << /Font << /F 5 0 R >> >> >>",
                4: stream(content),
                5: b"<< /Type /Font /Subtype /TrueType /BaseFont /Courier /ToUnicode 6 0 R "
                b"/FirstChar 33 /LastChar 255 /Widths [%s] >>" % widths,
                6: stream(cmap % (len(codes), names) + b"endbfchar endcmap"),
            }
        )
    )
    return path


def shown(x: float, y: float, codes: Sequence[int]) -> bytes:
    return b"BT /F 10 Tf %f %f Td <%s> Tj ET " % (x, y, bytes(codes).hex().encode())
