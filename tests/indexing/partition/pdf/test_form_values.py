"""Forms that programs fill in without drawing the values."""

from pathlib import Path

import pytest

from indexing.partition.pdf.document import open_pdf
from tests.files.hostile_pdfs import stream

CHOICE = "/FT /Ch /Opt [[(DE) (Germany)] [(SE) (Sweden)] [(FR) (France)]] "


@pytest.mark.parametrize(
    ("field", "shown"),
    [
        pytest.param("/FT /Tx /V (Northline)", " Northline", id="text"),
        pytest.param("/FT /Tx /V <FEFF0160006B006F00640061>", " Škoda", id="any letters"),
        pytest.param("/FT /Tx /Ff 4096 /V (Gate 3\\rRing)", " Gate 3\nRing", id="lines"),
        pytest.param(CHOICE + "/Ff 131072 /V (SE)", " Sweden", id="a choice by what it shows"),
        pytest.param(
            CHOICE + "/Ff 2097152 /V [(DE) (FR)]", " Germany, France", id="several choices"
        ),
        pytest.param(
            f"/FT /Ch /Ff 131072 /V (SE) /Opt [{'[(SE) (Sweden)] ' * 2001}]",
            " SE",
            id="a choice of too many to look for it",
        ),
        pytest.param("/FT /Tx /Ff 8192 /V (secret)", "", id="no password"),
        pytest.param("/FT /Tx /F 2 /V (unseen)", "", id="nothing hidden"),
    ],
)
def test_a_value_is_read(tmp_path: Path, field: str, shown: str) -> None:
    (tmp_path / "form.pdf").write_bytes(form(field))

    (page,) = open_pdf(tmp_path / "form.pdf").pages

    assert "\n".join(block.text for block in page.blocks) == f"Name:{shown}"


def test_a_value_is_read_of_a_field_that_the_document_does_not_tell(tmp_path: Path) -> None:
    (tmp_path / "form.pdf").write_bytes(form("/FT /Tx /V (Northline)", are_told=False))

    (page,) = open_pdf(tmp_path / "form.pdf").pages

    assert [block.text for block in page.blocks] == ["Name: Northline"]


def test_a_value_on_a_page_on_its_side_stands_beside_its_label(tmp_path: Path) -> None:
    field = "/FT /Tx /V (Northline) /Rect [285 150 305 300]"
    (tmp_path / "form.pdf").write_bytes(form(field, "/Rotate 90", "0 1 -1 0 300 50 cm"))

    (page,) = open_pdf(tmp_path / "form.pdf").pages

    assert [block.text for block in page.blocks] == ["Name: Northline"]


def form(field: str, page: str = "", matrix: str = "", *, are_told: bool = True) -> bytes:
    """Return a form of one field, which is not told of where the document has all of them."""
    place = "" if "/Rect" in field else "/Rect [100 290 250 315]"
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{'6 0 R' * are_told}] "
        "/DA (/F 0 Tf 0 g) /DR << /Font << /F 5 0 R >> >> >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R /Annots [6 0 R] "
        f"/Resources << /Font << /F 5 0 R >> >> {page} >>",
        stream(
            f"{matrix} BT /F 12 Tf 50 {0 if matrix else 300} Td (Name:) Tj ET".encode()
        ).decode(),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Type /Annot /Subtype /Widget /T (name) {place} {field} >>",
    ]
    numbered = "".join(f"{number} 0 obj\n{one}\nendobj\n" for number, one in enumerate(objects, 1))
    return f"%PDF-1.7\n{numbered}trailer << /Root 1 0 R >>\n%%EOF".encode()
