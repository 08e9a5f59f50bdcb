"""Forms that are filled in, made with reportlab."""

import time
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf
from tests.files.hostile_pdfs import FONT, PAGE, pdf


def test_a_value_stands_beside_its_label(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "form.pdf"))
    for y, label, value in ((700, "Name:", "Northline"), (660, "City:", "Kinsale")):
        canvas.drawString(60, y, label)
        canvas.acroForm.textfield(value=value, x=200, y=y - 6, height=20)
    canvas.drawString(60, 620, "Signed in March")
    canvas.save()

    assert lines_of(tmp_path / "form.pdf") == [
        "Name: Northline",
        "City: Kinsale",
        "Signed in March",
    ]


def test_lines_of_a_value_stay_together(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "form.pdf"))
    canvas.drawString(60, 700, "Remarks:")
    canvas.acroForm.textfield(
        value="Gate 3\nRing twice", x=200, y=650, height=64, fieldFlags="multiline"
    )
    canvas.drawString(60, 620, "Signed in March")
    canvas.save()

    assert lines_of(tmp_path / "form.pdf") == ["Remarks: Gate 3", "Ring twice", "Signed in March"]


@pytest.mark.parametrize(
    ("box", "label", "text"),
    [
        pytest.param(60, 80, "☒ paid\n☐ sent", id="before their labels"),
        pytest.param(120, 80, "paid ☒\nsent ☐", id="behind their labels"),
    ],
)
def test_boxes_are_read_as_ticked_or_not(tmp_path: Path, box: int, label: int, text: str) -> None:
    canvas = Canvas(str(tmp_path / "form.pdf"))
    for y, name in ((700, "paid"), (660, "sent")):
        canvas.drawString(label, y, name)
        canvas.acroForm.checkbox(name=name, checked=name == "paid", x=box, y=y - 3, size=14)
    canvas.save()

    assert lines_of(tmp_path / "form.pdf") == text.split("\n")


def test_the_button_that_is_pressed_is_told(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "form.pdf"))
    for x, name in ((60, "card"), (200, "cash")):
        canvas.acroForm.radio(name="how", value=name, selected=name == "cash", x=x, y=697, size=14)
        canvas.drawString(x + 20, 700, name)
    canvas.save()

    assert lines_of(tmp_path / "form.pdf") == ["☐ card ☒ cash"]


def test_of_a_crowd_of_fields_the_values_are_not_asked_for_in_vain(tmp_path: Path) -> None:
    numbers = range(7, 4007)
    named = b" ".join(b"%d 0 R" % number for number in numbers)
    field = (
        b"<< /Type /Annot /Subtype /Widget /FT /Ch /Ff 131072 /Opt 6 0 R /V (x) /Rect [0 0 9 9] "
    )
    objects = {number: field + b"/T (%d) >>" % number for number in numbers}
    objects[1] = b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [%b] >> >>" % named
    objects[3] = PAGE % (FONT + b"/Annots [%b]" % named)
    objects[6] = b"[%b]" % (b"(Kinsale)" * 2000)
    (tmp_path / "form.pdf").write_bytes(pdf(objects))
    began = time.process_time()

    (line,) = lines_of(tmp_path / "form.pdf")

    assert line.startswith("The lamps are stored")
    assert time.process_time() - began < 5


def lines_of(path: Path) -> list[str]:
    (page,) = open_pdf(path).pages
    return "\n".join(block.text for block in page.blocks).split("\n")


def test_a_value_that_is_not_drawn_stands_beside_its_label(tmp_path: Path) -> None:
    draw_form(tmp_path / "form.pdf", [(700, "Name:", "Northline"), (660, "City:", "Kinsale")])
    (tmp_path / "form.pdf").write_bytes(
        (tmp_path / "form.pdf").read_bytes().replace(b"/AP <<", b"/XX <<")
    )

    assert lines_of(tmp_path / "form.pdf") == [
        "Name: Northline",
        "City: Kinsale",
        "Signed in March",
    ]


@pytest.mark.parametrize(
    ("is_asked_for", "name"),
    [pytest.param(True, "Southline", id="asked for"), pytest.param(False, "Northline", id="not")],
)
def test_a_value_is_read_instead_of_one_drawn_before_if_that_is_asked_for(
    tmp_path: Path, is_asked_for: bool, name: str
) -> None:
    draw_form(tmp_path / "form.pdf", [(700, "Name:", "Northline")])
    filled = (tmp_path / "form.pdf").read_bytes().replace(b"/V (Northline)", b"/V (Southline)")
    asked = b"/NeedAppearances true" if is_asked_for else b""
    (tmp_path / "form.pdf").write_bytes(filled.replace(b"/Fields [", asked + b"/Fields ["))

    assert lines_of(tmp_path / "form.pdf") == [f"Name: {name}", "Signed in March"]


def draw_form(path: Path, fields: list[tuple[int, str, str]]) -> None:
    canvas = Canvas(str(path))
    for y, label, value in fields:
        canvas.drawString(60, y, label)
        canvas.acroForm.textfield(name=label, value=value, x=200, y=y - 6, height=20)
    canvas.drawString(60, 620, "Signed in March")
    canvas.save()
