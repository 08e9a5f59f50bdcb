"""Make the document of `ke demo`: a lease between two companies that do not exist."""

from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

TARGET = Path(__file__).parents[1] / "app" / "samples" / "warehouse-lease.pdf"

PAGES: list[list[tuple[str, str]]] = [
    [
        ("Title", "Warehouse Lease Agreement"),
        (
            "BodyText",
            "This agreement is made on 14 January 2025 between Brightwater Estates BV, the "
            "landlord, represented by Ms Johanna Veldkamp, and Calder &amp; Finch Logistics Ltd, "
            "the tenant, represented by Mr Tomas Aldridge.",
        ),
        ("Heading2", "1. The premises"),
        (
            "BodyText",
            "The landlord lets to the tenant hall 7 of the Merwe Dock estate, 41 Kanaalweg, "
            "Dordrecht: 6,480 square metres of storage on one level, twelve loading docks, and an "
            "office of 210 square metres on the first floor. The free height below the beams is "
            "10.4 metres and the floor bears 50 kN per square metre.",
        ),
        ("Heading2", "2. Use"),
        (
            "BodyText",
            "The premises serve for the storage and distribution of household goods. Hazardous "
            "substances may be stored only with the landlord's written consent and within the "
            "limits of the permit in force. The estate is open day and night; between 22:00 and "
            "06:00 lorries use the northern gate.",
        ),
    ],
    [
        ("Heading2", "3. Term"),
        (
            "BodyText",
            "The lease begins on 1 March 2025 and ends on 28 February 2032. The tenant may extend "
            "it once by three years, by a letter that reaches the landlord no later than twelve "
            "months before the end.",
        ),
        ("Heading2", "4. Rent and deposit"),
        (
            "BodyText",
            "The rent of the first year is EUR 432,000, payable in advance in four equal parts on "
            "the first day of each quarter. It is adjusted every 1 March by the consumer price "
            "index of the year before, but by no more than 4 percent.",
        ),
        (
            "BodyText",
            "The security deposit is EUR 108,000, the rent of three months. It is paid before the "
            "keys are handed over and returned within sixty days after the end of the lease, less "
            "what the tenant still owes.",
        ),
        ("Heading2", "5. Service charges"),
        (
            "BodyText",
            "The tenant pays a share of 18.5 percent of the cost of the estate's common services. "
            "The table shows what is expected in the first year.",
        ),
        ("Table", "Service|Yearly cost (EUR)|Tenant's share (EUR)"),
    ],
    [
        ("Heading2", "6. Maintenance and repairs"),
        (
            "BodyText",
            "The landlord maintains and repairs the roof, the outer walls, the foundations and the "
            "sprinkler system. The tenant maintains the dock levellers, the doors, the lighting "
            "and the floor's surface, and has the fire extinguishers inspected once a year.",
        ),
        (
            "BodyText",
            "Defects are reported by e-mail to the estate office. The landlord begins an urgent "
            "repair within 24 hours, and any other within fifteen working days.",
        ),
        ("Heading2", "7. Insurance"),
        (
            "BodyText",
            "The landlord insures the building against fire, storm and flood. The tenant insures "
            "its goods, and its liability to third parties for at least EUR 5,000,000 per event.",
        ),
        ("Heading2", "8. Ending the lease early"),
        (
            "BodyText",
            "Either side may end the lease with three months' notice when the other is in serious "
            "breach and has not put it right within thirty days of a written warning. The tenant "
            "may end it with effect from 28 February 2029 against payment of six months' rent.",
        ),
    ],
]

SERVICES = [
    ("Security and gates", "96,000", "17,760"),
    ("Snow clearing and grounds", "31,500", "5,828"),
    ("Sprinkler inspection", "22,400", "4,144"),
]


def make_sample() -> None:
    """Write the PDF, the same bytes each time."""
    styles = getSampleStyleSheet()
    story: list[object] = []
    for page in PAGES:
        for style, text in page:
            if style == "Table":
                table = Table([text.split("|"), *SERVICES], hAlign="LEFT")
                table.setStyle(TableStyle([("GRID", (0, 0), (-1, -1), 0.5, "grey")]))
                story += [Spacer(0, 8), table]
            else:
                story.append(Paragraph(text, styles[style]))
        story.append(PageBreak())
    TARGET.parent.mkdir(exist_ok=True)
    document = SimpleDocTemplate(
        str(TARGET),
        pagesize=A4,
        title="Warehouse Lease Agreement",
        author="Brightwater Estates BV",
        invariant=1,
    )
    document.build(story[:-1])


if __name__ == "__main__":
    make_sample()
