from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest

from indexing.partition.pdf.annotations import Typed, typed_onto
from indexing.types import Block, BlockKind

NOTHING = Typed(is_drawn=False, notes=())
DRAWN = Typed(is_drawn=True, notes=())


@pytest.mark.parametrize(
    ("annotation", "typed"),
    [
        pytest.param("/Subtype /FreeText /Contents (Paid) /AP << /N 5 0 R >>", DRAWN, id="typed"),
        pytest.param("/Subtype /Stamp /AP << /N 5 0 R >>", DRAWN, id="stamp"),
        pytest.param("/Subtype /Widget /FT /Tx /AP << /N 5 0 R >>", DRAWN, id="field"),
        pytest.param("/Subtype /Widget /FT /Tx /V (Paid)", NOTHING, id="field that is not drawn"),
        pytest.param("/Subtype /Stamp /AP << /N 5 0 R >> /F 2", NOTHING, id="hidden stamp"),
        pytest.param("/Subtype /FreeText /Contents (Paid) /F 2", NOTHING, id="hidden text"),
        pytest.param("/Subtype /FreeText /Contents ( )", NOTHING, id="blank text"),
        pytest.param("/Subtype /FreeText", NOTHING, id="no text"),
        pytest.param("/Subtype /Stamp /Contents (Paid)", NOTHING, id="stamp that is not drawn"),
        pytest.param("/Subtype /Highlight /Contents (Odd) /AP << /N 5 0 R >>", NOTHING, id="mark"),
        pytest.param("/Subtype /Popup /Contents (Odd) /AP << /N 5 0 R >>", NOTHING, id="popup"),
        pytest.param("/Subtype /Link /Contents (Odd)", NOTHING, id="link"),
    ],
)
def test_what_was_typed_onto_a_page_is_told_from_other_notes(
    annotation: str, typed: Typed, tmp_path: Path
) -> None:
    write_annotated(tmp_path / "page.pdf", annotation)

    assert list(all_typed(tmp_path / "page.pdf")) == [typed]


def test_text_without_appearance_has_its_place(tmp_path: Path) -> None:
    write_annotated(tmp_path / "page.pdf", r"/Subtype /FreeText /Contents (Paid in\rMärz)")

    (typed,) = all_typed(tmp_path / "page.pdf")

    place = (0.1, 0.2, 0.5, 0.4)
    assert typed.notes == (Block(BlockKind.TEXT, "Paid in\nMärz", line_boxes=(place, place)),)


def all_typed(path: Path) -> Iterator[Typed]:
    with pypdfium2.PdfDocument(path) as pdf:
        for page in pdf:
            yield typed_onto(page)
            page.close()


def write_annotated(path: Path, annotation: str) -> None:
    """Write a page of 200 by 100 points, with its annotation from (20, 60) to (100, 80).

    The fifth object is an appearance that says "Drawn onto it".
    """
    drawn = "BT /F 12 Tf 2 5 Td (Drawn onto it) Tj ET"
    fonts = "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Annots [4 0 R] >>",
        f"<< /Type /Annot /Rect [20 60 100 80] {annotation} >>",
        f"<< /Type /XObject /Subtype /Form /BBox [0 0 80 20] {fonts} /Length {len(drawn)} >>\n"
        f"stream\n{drawn}\nendstream",
    ]
    numbered = "".join(f"{n} 0 obj\n{one}\nendobj\n" for n, one in enumerate(objects, start=1))
    # Without a table of its objects, PDFium looks for them.
    path.write_text(f"%PDF-1.7\n{numbered}trailer\n<< /Root 1 0 R >>\n%%EOF\n", encoding="latin-1")
