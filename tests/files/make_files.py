"""Make the small documents that the tests read: python -m tests.files.make_files.

They tell one story: Harbour Light Ltd rents a warehouse, buys from suppliers and sells lamps.
"""

import datetime
import io
import re
import struct
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
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pagesizes import A4, A5
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.libreoffice import converted
from tests.files.ole2_writer import ole2_file

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

DELIVERY_NOTE = [
    ["DELIVERY NOTE"],
    [],
    ["Northline delivered these goods to gate 3."],
    [],
    ["Article", "Name", "Pieces"],
    ["LN-100", "Storm lantern", "24"],
    ["LN-200", "Deck lamp", "12"],
    ["LN-300", "Signal lamp", "3"],
    [],
    ["Received by Ana Ruiz on 5 March 2024."],
]

RECEIPT = [
    ["HARBOUR LIGHT LTD"],
    ["14 Dock Road, Bristol"],
    [],
    ["Storm lantern", "24.50"],
    ["Deck lamp", "61.00"],
    ["TOTAL", "85.50"],
    [],
    ["Thank you for your visit"],
]


LAMPS_SOLD = {"Jan": 310, "Feb": 365, "Mar": 280, "Apr": 330}


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
    make_further_formats()


def draw_chart(title: str = "Lamps sold in 2024") -> Image.Image:
    """Draw a chart of bars, as programs export it to a picture."""
    chart = Image.new("RGB", (640, 420), "white")
    draw = ImageDraw.Draw(chart)
    font = ImageFont.load_default(22)
    draw.text((200, 12), title, fill="black", font=font)
    draw.line((80, 60, 80, 360), fill="black", width=2)
    draw.line((80, 360, 620, 360), fill="black", width=2)
    for number, (month, sold) in enumerate(LAMPS_SOLD.items()):
        left = 110 + 130 * number
        draw.rectangle((left, 360 - sold * 0.75, left + 80, 360), fill="steelblue")
        draw.text((left + 15, 370), month, fill="black", font=font)
        draw.text((left + 20, 330 - sold * 0.75), str(sold), fill="black", font=font)
    return chart


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


def draw_lines(lines: list[list[str]], size: tuple[int, int], letters: int) -> Image.Image:
    """Draw lines as a scanner sees them; the parts of a line stand in columns."""
    picture = Image.new("L", size, "white")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(letters)
    columns = {1: [0.08], 2: [0.08, 0.68], 3: [0.08, 0.35, 0.75]}
    for number, line in enumerate(lines):
        for place, text in zip(columns.get(len(line), []), line, strict=True):
            draw.text((place * size[0], (2 + 1.6 * number) * letters), text, "black", font)
    return picture


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


# The further formats.

NOTICE_HTML = """<!DOCTYPE html>
<html><head><title>Notice to Customers</title><style>p { color: navy }</style></head>
<body><h1>Opening hours</h1>
<p>The shop at Dock Road is open from <b>nine to six</b>; on Sundays it is closed.</p>
<script>document.write("never read")</script>
<h2>Repairs</h2>
<table><tr><th>Lamp</th><th>Days</th></tr><tr><td>Storm lantern</td><td>3</td></tr>
<tr><td>Signal lamp</td><td>10</td></tr></table>
</body></html>
"""

NOTES_MARKDOWN = """# Inventory Notes

The count of *spare wicks* is off by twelve.

## Shelves

- shelf A holds glass
- shelf B holds brass

| Shelf | Boxes |
| ----- | ----- |
| A     | 14    |
| B     | 9     |
"""

MAIL = """From: =?utf-8?Q?J=C3=BCrgen_Falk?= <falk@northline.example>
To: orders@harbour-light.example
Subject: =?utf-8?Q?Delivery_on_Thursday_=E2=80=93_gate_3?=
Date: Tue, 5 Mar 2024 09:12:00 +0100
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

--outer
Content-Type: multipart/alternative; boundary="inner"

--inner
Content-Type: text/plain; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable

The forty lanterns arrive on Thursday, f=FCnf Kisten in all.

--inner
Content-Type: text/html; charset="utf-8"

<p>The forty lanterns arrive on Thursday.</p>

--inner--
--outer
Content-Type: text/plain; name="packing-list.txt"
Content-Disposition: attachment; filename="packing-list.txt"

Box 1 holds eight storm lanterns.

--outer
Content-Type: application/pdf; name="../../waybill.pdf"
Content-Disposition: attachment; filename="../../waybill.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK

--outer--
"""

LETTER_RTF = r"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Arial;}}
{\info{\title Letter to the Landlord}}\f0
The roof above bay 4 leaks, as we wrote in M\'e4rz.\par
\trowd\cellx3000\cellx6000\intbl Bay\cell Buckets\cell\row
\trowd\cellx3000\cellx6000\intbl 4\cell 11\cell\row
\pard Please send a roofer.\par}
"""

CHAPTERS = [
    ("Of Lanterns", "The storm lantern burns for thirty hours on one filling of oil."),
    ("Of Lighthouses", "The light at Portishead Point was lit in 1930 and is lit still."),
]


def make_further_formats() -> None:
    """Write the files of text, mail, books, and those that LibreOffice makes of the others."""
    (FOLDER / "opening-hours.html").write_text(NOTICE_HTML)
    (FOLDER / "inventory-notes.md").write_text(NOTES_MARKDOWN)
    (FOLDER / "delivery.eml").write_text(MAIL)
    (FOLDER / "letter.rtf").write_text(LETTER_RTF)
    (FOLDER / "lamp-oil.txt").write_bytes(
        "Lampenöl für Köln\n\nDie Fässer stehen in Halle 2.\n".encode("cp1252")
    )
    lines = ["Article;Name;Price"] + [f"{code};{name};{price}" for code, name, price, *_ in PRICES]
    (FOLDER / "price-list.csv").write_text("\n".join(lines) + "\n")
    make_book(FOLDER / "lamp-lore.epub")
    make_outlook_mail(FOLDER / "delivery.msg")
    for source, target in [
        ("supplier-handbook.docx", "doc"),
        ("supplier-handbook.docx", "odt"),
        ("quarterly-review.pptx", "odp"),
        ("price-list.xlsx", "xls"),
        ("price-list.xlsx", "ods"),
    ]:
        convert(FOLDER / source, target)


def make_book(path: Path) -> None:
    """Write a book of two chapters and a list of contents."""
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": (
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="text/book.opf"/></rootfiles></container>'
        ),
        "text/book.opf": (
            '<package xmlns="http://www.idpf.org/2007/opf" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Lamp Lore</dc:title>'
            '</metadata><manifest><item id="nav" href="nav.xhtml" properties="nav"/>'
            '<item id="c1" href="chapter%201.xhtml"/><item id="c2" href="chapter%202.xhtml"/>'
            '</manifest><spine><itemref idref="nav"/><itemref idref="c1"/><itemref idref="c2"/>'
            "</spine></package>"
        ),
        "text/nav.xhtml": "<html><body><p>Contents</p></body></html>",
    }
    for number, (heading, text) in enumerate(CHAPTERS, start=1):
        files[f"text/chapter {number}.xhtml"] = (
            '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
            f"<head><title/></head><body><h1>{heading}</h1><p>{text}</p></body></html>"
        )
    with zipfile.ZipFile(path, "w") as book:
        for name, content in files.items():
            book.writestr(zipfile.ZipInfo(name, (2024, 4, 2, 9, 0, 0)), content)


def make_outlook_mail(path: Path) -> None:
    """Write a mail as Outlook keeps it, with an attachment."""
    mail = {
        0x0037: "Delivery on Thursday",
        0x0C1A: "Jürgen Falk",
        0x0C1F: "falk@northline.example",
        0x1000: "The forty lanterns arrive on Thursday, fünf Kisten in all.\r\n",
    }
    recipient = {0x3001: "Orders", 0x3003: "orders@harbour-light.example"}
    attachment = {0x3707: "../../waybill.pdf", 0x370E: "application/pdf"}
    streams = {
        **outlook_properties(mail, header=b"\0" * 16 + struct.pack("<II", 1, 1) + b"\0" * 8),
        **outlook_properties(recipient, "__recip_version1.0_#00000000/", header=b"\0" * 8),
        **outlook_properties(attachment, "__attach_version1.0_#00000000/", header=b"\0" * 8),
    }
    path.write_bytes(ole2_file(streams))


def outlook_properties(
    texts: dict[int, str], folder: str = "", *, header: bytes
) -> dict[str, bytes]:
    """Return the streams of some properties that are text."""
    streams = {
        f"{folder}__substg1.0_{key:04X}001F": value.encode("utf-16-le")
        for key, value in texts.items()
    }
    entries = [
        struct.pack("<HHIII", 0x001F, key, 6, 2 * len(value) + 2, 0) for key, value in texts.items()
    ]
    return {f"{folder}__properties_version1.0": header + b"".join(entries), **streams}


def convert(source: Path, target: str) -> None:
    """Let LibreOffice save a file in another format, beside it."""
    with converted(source, source.suffix[1:], [target]) as (result,):
        (FOLDER / f"{source.stem}.{target}").write_bytes(result.read_bytes())


if __name__ == "__main__":
    main()
