"""What drawings within web pages show."""

import pytest

from indexing.partition.web.markup import html_blocks


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        pytest.param(
            "Sales<svg><g><text x=1>2023</text><text x=9>2024</text></g></svg>in May",
            ["Sales", "2023\n2024", "in May"],
            id="labels",
        ),
        pytest.param("<svg><text><tspan>a</tspan><tspan>b", ["a\nb"], id="lines of one text"),
        pytest.param(
            "<svg><foreignObject><div>Order<br>received</div></foreignObject></svg>",
            ["Order\nreceived"],
            id="part of a page",
        ),
        pytest.param(
            "Press <svg><title>Disk</title><path d=M0/></svg> to save",
            ["Press to save"],
            id="sign within a line",
        ),
        pytest.param(
            "<svg><defs><text>a</text></defs><desc>b</desc><style>c</style><text>d</svg>",
            ["d"],
            id="what is not shown",
        ),
        pytest.param("<svg><text>a</text></svg></p></svg>b", ["a", "b"], id="ended too often"),
    ],
)
def test_text_of_a_drawing_is_a_line_for_each_place(page: str, texts: list[str]) -> None:
    assert [block.text for block in html_blocks(page)] == texts


def test_drawing_may_be_as_deep_as_it_likes() -> None:
    (block,) = html_blocks("<svg>" + "<g>" * 100_000 + "<text>a")

    assert block.text == "a"
