import re

import pytest

from indexing.partition.blocks import blocks_of, line_spans, page_text, split_blocks
from indexing.types import Block, BlockKind


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param("infor\ufffemation", "information", id="broken word"),
        pytest.param("infor\x02\r\nmation", "information", id="broken word, other mark"),
        pytest.param("long\ufffeterm and long-term", "long-term and long-term", id="real hyphen"),
        pytest.param("COVID\ufffe19", "COVID-19", id="hyphen before a number"),
        pytest.param("e\x02\r\nmail", "e-mail", id="hyphen behind a single letter"),
        pytest.param("Кол\x02\r\nво", "Кол-во", id="hyphen of an abbreviation"),
        pytest.param("well-known\r\nfact", "well-known\nfact", id="no mark"),
    ],
)
def test_broken_words_are_rejoined(raw: str, text: str) -> None:
    assert page_text(raw) == text


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param("", id="nothing"),
        pytest.param("  The rent \r\n\r\nis due \n", id="blank lines and spaces"),
        pytest.param("ware\x02\r\n\r\nhouse\r\nand gate", id="broken word"),
        pytest.param("gate three\x02", id="broken at the end"),
        pytest.param("of\x1cce\x0bgate\u2028three\ufffe 4\r\r", id="odd letters and line ends"),
    ],
)
def test_each_line_is_found_in_what_it_was_made_of(raw: str) -> None:
    lines = page_text(raw).split("\n")

    found = [re.findall("[a-z0-9]", raw[start:end]) for start, end in line_spans(raw)]

    assert found == [re.findall("[a-z0-9]", line) for line in lines]


def test_blocks_have_the_boxes_of_their_lines() -> None:
    text = "1 Term\n\nThe lease runs for three years and ends on 31 March\n2024.\nThe end."
    boxes = [(0.1, top / 10, 0.9, top / 10 + 0.1) for top in range(5)]

    blocks = blocks_of(text.split("\n"), boxes)

    assert [block.line_boxes for block in blocks] == [
        (boxes[0],),
        (boxes[2], boxes[3]),
        (boxes[4],),
    ]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("and the landlord agrees", id="goes on from the line above"),
        pytest.param("Net sales 12,039 17,272 18,434", id="a row of figures"),
        pytest.param("The tenant pays.", id="a sentence"),
        pytest.param("• Lamps", id="a bullet"),
        pytest.param("Page 1", id="the number of a page"),
        pytest.param("Strana 3 z 12", id="the number of a page, of so many"),
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


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            ["3. The tenant shall keep the", "roof in repair."], id="ends on a small word"
        ),
        pytest.param(["15. Section 1956(c)(7) defines", "unlawful acts."], id="goes on below"),
    ],
)
def test_a_numbered_paragraph_is_no_heading(lines: list[str]) -> None:
    blocks = split_blocks("\n".join([*lines, "The lease runs for three years and ends in March."]))

    assert _headings(blocks) == []


def _headings(blocks: tuple[Block, ...]) -> list[str]:
    return [block.text for block in blocks if block.kind is BlockKind.HEADING]
