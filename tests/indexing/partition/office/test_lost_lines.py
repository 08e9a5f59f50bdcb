import time

import pytest

from indexing.partition.office.lost_lines import put_back
from indexing.types import Block, BlockKind


def text(words: str) -> Block:
    return Block(BlockKind.TEXT, words)


def table(rows: str, header: str = "Part | Price") -> Block:
    return Block(BlockKind.TABLE, rows, header)


PRICES, THANKS = text("Prices of 2024"), text("Thank you")


@pytest.mark.parametrize(
    ("converted", "original", "whole"),
    [
        pytest.param([PRICES, THANKS], [PRICES, THANKS], [PRICES, THANKS], id="nothing"),
        pytest.param([PRICES], [THANKS, PRICES], [THANKS, PRICES], id="the first line"),
        pytest.param([PRICES], [PRICES, THANKS], [PRICES, THANKS], id="the last line"),
        pytest.param([], [PRICES, THANKS], [PRICES, THANKS], id="all lines"),
        pytest.param(
            [table("Bolt | 12"), THANKS],
            [table("Bolt | 12\nNut | 99"), THANKS],
            [table("Bolt | 12"), table("Nut | 99"), THANKS],
            id="a row",
        ),
        pytest.param(
            [text("Bolt | 12")],
            [table("Bolt | 12")],
            [text("Bolt | 12"), text("Part | Price")],
            id="a header",
        ),
        pytest.param(
            [PRICES, THANKS],
            [PRICES, THANKS, PRICES],
            [PRICES, THANKS, PRICES],
            id="what is said twice",
        ),
        pytest.param(
            [text("1.2 Naïve co\xadoperation of \uff12\uff10\uff12\uff14")],
            [text("NAÏVE cooperation of 2023")],
            [text("1.2 Naïve co\xadoperation of \uff12\uff10\uff12\uff14")],
            id="nothing, though it is written otherwise",
        ),
        pytest.param(
            [text("10^6 tons")], [text("106tons")], [text("10^6 tons")], id="nothing but a mark"
        ),
        pytest.param([PRICES], [PRICES, text("Îò÷¸ò")], [PRICES], id="nothing that can be told"),
        pytest.param(
            [text("a café")],
            [text("a caf\ufffd")],
            [text("a café")],
            id="but for an unknown letter",
        ),
        pytest.param(
            [text("価格は 十二円です。")],
            [text("価格は十二円です")],
            [text("価格は 十二円です。")],
            id="no spaces",
        ),
    ],
)
def test_what_is_lost_stands_where_it_stood(
    converted: list[Block], original: list[Block], whole: list[Block]
) -> None:
    assert [block for part in put_back(converted, original) for block in part] == whole


def test_a_word_without_end_is_looked_at_once() -> None:
    long = [Block(BlockKind.TEXT, "a" * 100_000)]
    began = time.process_time()

    assert put_back(long, long) == [long]
    assert time.process_time() - began < 5
