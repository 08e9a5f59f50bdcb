"""Make the small documents that the tests read: python -m tests.files.make_files.

They tell one story: Harbour Light Ltd rents a warehouse, buys from suppliers and sells lamps.
"""

import datetime
import io
import re
import zipfile
from pathlib import Path

import docx
import docx.text.paragraph
import openpyxl
import pptx
import pptx.chart.data
import pptx.enum.chart
import pptx.util
from docx.oxml import OxmlElement
from reportlab.lib.pagesizes import A4, A5
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.files.drawn import DELIVERY_NOTE, RECEIPT, draw_lines
from tests.files.make_further_formats import make_further_formats

FOLDER = Path(__file__).parent

LEASE_PAGES = [
    [
        "WAREHOUSE LEASE",
        "",
        "This lease is made on 1 April 2021 between Quayside Estates plc, the landlord, and",
        "Harbour Light Ltd, the tenant, for the warehouse at 14 Dock Road, Bristol.",
        "",
        "1 Term",
        "The lease runs for three years and ends on 31 March 2024. The tenant may renew it",
        "once, for two more years, by written notice six months before that day.",
    ],
    [
        "2 Rent and Deposit",
        "The yearly rent is 48,000 pounds, payable in advance in four equal parts on the first",
        "day of each quarter. The tenant has paid a deposit of 12,000 pounds.",
        "",
        "3 Use of the Warehouse",
        "The tenant stores lamps and spare parts only. Inflammable goods are not admitted, and",
        "the gate is closed between ten in the evening and five in the morning.",
    ],
    [
        "4 Repairs and Insurance",
        "The landlord keeps roof and walls in repair. The tenant insures the stored goods for",
        "at least 250,000 pounds and shows the policy to the landlord every January.",
        "",
        "5 Signatures",
        "Signed by Margaret Osei for Quayside Estates plc and by Tom Lindqvist for Harbour",
        "Light Ltd, in the presence of the notary Helen Marsh.",
    ],
]

PRICES = [
    ("LN-100", "Storm lantern", 24.5, 120, datetime.date(2024, 1, 15)),
    ("LN-200", "Deck lamp", 61, 45, datetime.date(2024, 2, 1)),
    ("LN-300", "Signal lamp", 189.99, 8, datetime.date(2024, 2, 20)),
]


def main() -> None:
    """Write every file anew."""
    make_lease(FOLDER / "warehouse-lease.pdf")
    make_handbook(FOLDER / "supplier-handbook.docx")
    make_review(FOLDER / "quarterly-review.pptx")
    make_price_list(FOLDER / "price-list.xlsx")
    make_scan(FOLDER / "delivery-note-scan.pdf")
    draw_lines(RECEIPT, (420, 420), 20).save(FOLDER / "receipt.png", optimize=True)
    make_fax(FOLDER / "fax.tiff")
    (FOLDER / "plain-text.pdf").write_text("This is plain text, whatever its name says.\n")
    make_further_formats(FOLDER, PRICES)


def make_lease(path: Path) -> None:
    """Write the lease, three pages with a text layer."""
    canvas = Canvas(str(path), pagesize=A4, invariant=True)
    canvas.setTitle("Warehouse Lease, 14 Dock Road")
    for lines in LEASE_PAGES:
        text = canvas.beginText(60, 780)
        text.setFont("Helvetica", 11)
        text.setLeading(16)
        text.textLines(lines)
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()


def make_handbook(path: Path) -> None:
    """Write the handbook: three pages, marked the way Word marks them."""
    document = docx.Document()
    document.core_properties.title = "Supplier Handbook"
    document.sections[0].header.paragraphs[0].text = "Harbour Light Ltd, for suppliers"
    document.add_heading("Ordering", level=1)
    document.add_paragraph("Orders are placed by e-mail and confirmed within two working days.")
    ordering = document.add_paragraph("A confirmed order may be changed until it is packed, ")
    add_rendered_break(ordering)
    ordering.add_run("and after that it can only be returned.")
    document.add_heading("Delivery", level=1)
    document.add_paragraph("Goods are delivered to gate 3 between seven and eleven.")
    table = document.add_table(rows=0, cols=3)
    for row in [
        ("Carrier", "Days", "Contact"),
        ("Northline", "2", "Ana Ruiz"),
        ("Seaway Freight", "5", "Bo Larsen"),
    ]:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.add_page_break()
    payment = document.add_heading("", level=1)
    add_rendered_break(payment)
    payment.add_run("Payment")
    document.add_paragraph("Invoices are paid within thirty days; two percent are taken off")
    document.add_paragraph("for payment within ten.", style="List Bullet")
    document.save(str(path))
    _settle_dates(path)


def add_rendered_break(paragraph: docx.text.paragraph.Paragraph) -> None:
    """Mark that a page began here when Word last laid the document out."""
    paragraph.add_run()._r.append(OxmlElement("w:lastRenderedPageBreak"))


def make_review(path: Path) -> None:
    """Write the review: a title, bullets with notes and a chart, and a table."""
    review = pptx.Presentation()
    review.core_properties.title = "Quarterly Review Q1 2024"
    title = review.slides.add_slide(review.slide_layouts[0])
    title.shapes.title.text = "Quarterly Review"
    title.placeholders[1].text = "Harbour Light Ltd, first quarter of 2024"

    bullets = review.slides.add_slide(review.slide_layouts[1])
    bullets.shapes.title.text = "What went well"
    bullets.placeholders[1].text = "Revenue grew by 14 percent\nReturns fell to 1.2 percent"
    bullets.notes_slide.notes_text_frame.text = "Thank the Bristol team for the inventory week."
    chart = pptx.chart.data.CategoryChartData()
    chart.categories = ["January", "February"]
    chart.add_series("Lamps sold", (310, 365))
    bullets.shapes.add_chart(
        pptx.enum.chart.XL_CHART_TYPE.COLUMN_CLUSTERED,
        *(pptx.util.Inches(inches) for inches in (5, 4, 4, 3)),
        chart,
    )

    figures = review.slides.add_slide(review.slide_layouts[5])
    figures.shapes.title.text = "Figures"
    table = figures.shapes.add_table(
        3, 2, *(pptx.util.Inches(inches) for inches in (1, 2, 6, 2))
    ).table
    for at, row in enumerate(
        [("Measure", "Value"), ("Revenue", "412,000 pounds"), ("Open orders", "37")]
    ):
        for cell, text in zip(table.rows[at].cells, row, strict=True):
            cell.text = text
    review.save(str(path))
    _settle_dates(path)


def make_price_list(path: Path) -> None:
    """Write the price list: prices with a formula, and a hidden sheet of discounts."""
    workbook = openpyxl.Workbook()
    prices = workbook.active
    assert prices is not None
    prices.title = "Prices"
    prices.append(["Price list, spring 2024"])
    prices.append([])
    prices.append(["Article", "Name", "Price", "In stock", "Valid from"])
    for row in PRICES:
        prices.append(row)
    prices.append(["Stock value", None, "=SUMPRODUCT(C4:C6,D4:D6)"])
    discounts = workbook.create_sheet("Discounts")
    discounts.sheet_state = "hidden"
    discounts.append(["Pieces", "Discount"])
    discounts.append([10, 0.05])
    discounts.append([100, 0.12])
    workbook.save(path)
    # openpyxl writes formulas without the value that a spreadsheet program computes and keeps.
    total = sum(price * pieces for _, _, price, pieces, _ in PRICES)
    _settle_dates(path, {"xl/worksheets/sheet1.xml": ("</f><v></v>", f"</f><v>{total}</v>")})


def make_scan(path: Path) -> None:
    """Write a scan of the delivery note, and a page of text with a picture of the receipt."""
    canvas = Canvas(str(path), pagesize=A5, invariant=True)
    canvas.drawImage(ImageReader(draw_lines(DELIVERY_NOTE, (874, 1240), 26)), 0, 0, *A5)
    canvas.showPage()
    canvas.drawString(40, 560, "The goods were paid in cash at the gate; this receipt was given:")
    canvas.drawImage(ImageReader(draw_lines(RECEIPT, (420, 420), 20)), 40, 300, 240, 240)
    canvas.drawString(40, 270, "The original receipt is kept with the books of the year 2024.")
    canvas.showPage()
    canvas.save()


def make_fax(path: Path) -> None:
    """Write a fax of two pages, the second of which went through the machine upside down."""
    first = draw_lines([["Please send twelve deck lamps."]], (640, 300), 28).convert("1")
    second = draw_lines([["They are needed on Monday."]], (640, 300), 28).convert("1")
    rest = [second.rotate(180)]
    first.save(path, save_all=True, append_images=rest, compression="group4")


def _settle_dates(path: Path, changes: dict[str, tuple[str, str]] | None = None) -> None:
    """Write the package anew with fixed dates, so that the same script makes the same bytes."""
    path.write_bytes(_with_fixed_dates(path.read_bytes(), changes or {}))


def _with_fixed_dates(package: bytes, changes: dict[str, tuple[str, str]]) -> bytes:
    settled = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(package)) as old,
        zipfile.ZipFile(settled, "w") as new,
    ):
        for name in old.namelist():
            content = old.read(name)
            if name.endswith(".xml"):
                text = content.decode().replace(*changes.get(name, ("", "", 0)))
                content = re.sub(r"20\d\d-\d\d-\d\dT[\d:]+Z", "2024-04-02T09:00:00Z", text).encode()
            elif name.endswith(".xlsx"):  # the figures of a chart
                content = _with_fixed_dates(content, {})
            entry = zipfile.ZipInfo(name, (2024, 4, 2, 9, 0, 0))
            new.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return settled.getvalue()


if __name__ == "__main__":
    main()
