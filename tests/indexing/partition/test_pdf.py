from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf import open_pdf, page_text, split_blocks
from indexing.types import Block, BlockKind
from tests.files.make_files import LEASE_PAGES

FILES = Path(__file__).parents[2] / "files"


def test_each_page_holds_its_own_words() -> None:
    document = open_pdf(FILES / "warehouse-lease.pdf")

    pages = list(document.pages)

    assert document.title == "Warehouse Lease, 14 Dock Road"
    assert [page.number for page in pages] == [1, 2, 3]
    for page, lines in zip(pages, LEASE_PAGES, strict=True):
        words = " ".join(block.text for block in page.blocks).split()
        assert words == " ".join(lines).split()


def test_headings_are_told_from_text() -> None:
    first, second, _ = open_pdf(FILES / "warehouse-lease.pdf").pages

    assert _headings(first.blocks) == ["WAREHOUSE LEASE", "1 Term"]
    assert _headings(second.blocks) == ["2 Rent and Deposit", "3 Use of the Warehouse"]


def test_a_page_without_text_keeps_its_number(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "scan.pdf"))
    canvas.showPage()
    canvas.drawString(60, 700, "The second page has words.")
    canvas.save()

    blank, written = open_pdf(tmp_path / "scan.pdf").pages

    assert (blank.number, blank.blocks) == (1, ())
    assert written.blocks == (Block(BlockKind.TEXT, "The second page has words."),)


def test_a_filled_form_is_read(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "form.pdf"))
    canvas.drawString(60, 700, "Name of the supplier:")
    canvas.acroForm.textfield(name="supplier", value="Northline", x=200, y=690)
    canvas.save()

    (page,) = open_pdf(tmp_path / "form.pdf").pages

    assert "Northline" in page.blocks[0].text


def test_a_broken_page_leaves_the_others(tmp_path: Path) -> None:
    lease = (FILES / "warehouse-lease.pdf").read_bytes()
    broken = lease.replace(b"/Type /Page\n", b"/Type /Pear\n", 1)
    (tmp_path / "broken.pdf").write_bytes(broken)

    pages = list(open_pdf(tmp_path / "broken.pdf").pages)

    assert [page.number for page in pages] == [1, 2, 3]
    assert "page 1 cannot be read" in pages[0].warning
    assert pages[1].blocks


def test_a_running_head_is_no_heading_again(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "report.pdf"))
    for text in (
        "Revenue grew in the first quarter, as planned.",
        "It fell in the second one, alas.",
    ):
        canvas.drawString(60, 780, "Annual Report")
        canvas.drawString(60, 740, text)
        canvas.showPage()
    canvas.save()

    first, second = open_pdf(tmp_path / "report.pdf").pages

    assert first.blocks[0] == Block(BlockKind.HEADING, "Annual Report")
    assert second.blocks[0].kind is BlockKind.TEXT


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param("infor\ufffemation", "information", id="broken word"),
        pytest.param("infor\x02\r\nmation", "information", id="broken word, other mark"),
        pytest.param("long\ufffeterm and long-term", "long-term and long-term", id="real hyphen"),
        pytest.param("COVID\ufffe19", "COVID-19", id="hyphen before a number"),
        pytest.param("well-known\r\nfact", "well-known\nfact", id="no mark"),
    ],
)
def test_broken_words_are_rejoined(raw: str, text: str) -> None:
    assert page_text(raw) == text


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("and the landlord agrees", id="goes on from the line above"),
        pytest.param("Net sales 12,039 17,272 18,434", id="a row of figures"),
        pytest.param("The tenant pays.", id="a sentence"),
        pytest.param("• Lamps", id="a bullet"),
    ],
)
def test_other_short_lines_are_no_headings(line: str) -> None:
    blocks = split_blocks(f"{line}\nThe lease runs for three years and ends on 31 March 2024.")

    assert _headings(blocks) == []


def test_a_short_last_line_ends_its_paragraph() -> None:
    text = (
        "The lease runs for three years and ends on 31 March\n2024.\nThe tenant may renew it once."
    )

    assert [block.text for block in split_blocks(text)] == [
        "The lease runs for three years and ends on 31 March\n2024.",
        "The tenant may renew it once.",
    ]


def _headings(blocks: tuple[Block, ...]) -> list[str]:
    return [block.text for block in blocks if block.kind is BlockKind.HEADING]
