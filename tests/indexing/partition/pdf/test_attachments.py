from pathlib import Path

import pypdfium2
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.attachments import MAX_NAMED
from indexing.partition.pdf.document import open_pdf
from indexing.types import Page

LEASE = Path(__file__).parents[3] / "files" / "warehouse-lease.pdf"


def test_attached_files_are_named_behind_the_last_page(tmp_path: Path) -> None:
    *others, last = _read(tmp_path / "invoice.pdf", ["factur-x.xml", "Notes of March.docx"])

    assert last.blocks[-1].text == "Attachments: Notes of March.docx, factur-x.xml"
    assert not any("Attachments" in block.text for page in others for block in page.blocks)
    assert last.warning == ""


def test_the_files_of_a_portfolio_are_not_read_silently(tmp_path: Path) -> None:
    *_, last = _read(tmp_path / "portfolio.pdf", ["Contract.pdf"], mode="/UseAttachments")

    assert last.blocks[-1].text == "Attachments: Contract.pdf"
    assert last.warning == (
        "the files attached to the document are not read, upload them by themselves"
    )


def test_of_very_many_attached_files_only_some_are_named(tmp_path: Path) -> None:
    names = [f"{number:03}.pdf" for number in range(MAX_NAMED + 7)]

    *_, last = _read(tmp_path / "many.pdf", names)

    assert last.blocks[-1].text.endswith("098.pdf, 099.pdf and 7 more")


def test_a_file_without_attachments_names_none() -> None:
    *_, last = open_pdf(LEASE).pages

    assert not any("Attachments" in block.text for block in last.blocks)


def _read(path: Path, names: list[str], mode: str = "/UseNone") -> list[Page]:
    canvas = Canvas(str(path))
    canvas.showOutline()
    for text in ("The contract came in March.", "The invoice came in May."):
        canvas.drawString(50, 700, text)
        canvas.showPage()
    canvas.save()
    content = path.read_bytes().replace(b"/UseOutlines", mode.encode())
    with pypdfium2.PdfDocument(content) as pdf:
        for name in names:
            pdf.new_attachment(name).set_data(b"of another program")
        pdf.save(path)
    return list(open_pdf(path).pages)
