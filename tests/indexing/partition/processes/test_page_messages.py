from typing import Any

import msgpack
import pytest

from indexing.partition.processes.page_messages import page_from_values, page_to_values
from indexing.types import Block, BlockKind, Figure, Page, ReadBy

PAGE = Page(
    number=3,
    blocks=(
        Block(BlockKind.HEADING, "Rent", line_boxes=((0.1, 0.2, 0.30001, 0.4),)),
        Block(BlockKind.TEXT, "half a character \ud83d", line_boxes=()),
        Block(BlockKind.TABLE, "1 | 2\n3 | 4", "a | b", ((0, 0, 1, 1), None, (0.5, 0.6, 0.7, 1))),
    ),
    label="Prices",
    warning="something is missing",
    read_by=ReadBy.MIXED,
    pictures=2,
    seconds=0.25,
    figures=(Figure(1, b"\x89PNG"),),
)


def test_page_comes_as_it_was_sent() -> None:
    page = page_from_values(sent(PAGE))

    assert page == PAGE
    assert [block.line_boxes for block in page.blocks] == [one.line_boxes for one in PAGE.blocks]
    assert page.seconds == PAGE.seconds
    assert page.figures == PAGE.figures


def test_figures_stay_behind_when_nobody_asks_for_them() -> None:
    assert page_from_values(sent(PAGE, with_figures=False)).figures == ()


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"boxes": "no bytes"}, id="no bytes"),
        pytest.param({"figures": [[0, 10**12]]}, id="a picture that is the size of one"),
        pytest.param({"boxes": bytes(4)}, id="half a number"),
        pytest.param({"boxes": bytes(8)}, id="one side of a box"),
        pytest.param({"blocks": [["text", "Rent", "", -1]]}, id="less than no lines"),
        pytest.param({"blocks": [["program", "Rent", "", 0]]}, id="an unknown kind"),
        pytest.param({"further": 1}, id="a value of no page"),
    ],
)
def test_wrong_values_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError)):
        page_from_values(sent(PAGE) | wrong)


def sent(page: Page, *, with_figures: bool = True) -> dict[str, Any]:
    message = msgpack.packb(
        page_to_values(page, with_figures=with_figures), unicode_errors="surrogatepass"
    )
    values: dict[str, Any] = msgpack.unpackb(message, unicode_errors="surrogatepass")
    return values
