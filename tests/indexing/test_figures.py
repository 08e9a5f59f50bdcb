import asyncio
from dataclasses import dataclass, field

import pytest

from indexing.figures import (
    MAX_AT_ONCE,
    MAX_DESCRIPTION_CHARACTERS,
    MAX_FAILURES,
    DescriptionFailed,
    FigureDescriber,
    words_around,
)
from indexing.types import Block, BlockKind, Figure, Page, ReadBy

HEADING = Block(BlockKind.HEADING, "Sales")
INTRODUCTION = Block(BlockKind.TEXT, "The chart shows how many lamps were sold.")
WORDS = Block(BlockKind.TEXT, "Jan Feb Mar\n310 365 280")
END = Block(BlockKind.TEXT, "In March the warehouse was closed.")


@dataclass
class Model:
    """Says the same of every figure, or fails, and keeps what it was asked."""

    answer: str | DescriptionFailed = "A chart of bars."
    asked: list[tuple[bytes, str]] = field(default_factory=list)

    async def describe(self, image: bytes, context: str) -> str:
        self.asked.append((image, context))
        if isinstance(self.answer, DescriptionFailed):
            raise self.answer
        return self.answer


async def test_a_description_stands_where_the_figure_is() -> None:
    page = await FigureDescriber(Model().describe).describe(page_with(Figure(2, b"jpeg")))

    assert page.blocks == (
        HEADING,
        INTRODUCTION,
        Block(BlockKind.TEXT, "Figure: A chart of bars."),
        WORDS,
        END,
    )
    assert (page.read_by, page.figures, page.warning) == (ReadBy.VISION, (), "")


async def test_each_figure_has_its_own_place() -> None:
    figures = [Figure(position, b"jpeg") for position in (0, 2, 4)]

    page = await FigureDescriber(Model().describe).describe(page_with(*figures))

    texts = [block.text.startswith("Figure: ") for block in page.blocks]
    assert texts == [True, False, False, True, False, False, True]


async def test_a_page_without_figures_is_left_alone() -> None:
    model = Model()
    page = page_with()

    assert await FigureDescriber(model.describe).describe(page) is page
    assert model.asked == []


async def test_the_model_is_told_the_words_around_the_figure() -> None:
    model = Model()

    await FigureDescriber(model.describe).describe(page_with(Figure(2, b"jpeg")))

    around = "\n".join(block.text for block in (HEADING, INTRODUCTION, WORDS, END))
    assert model.asked == [(b"jpeg", around)]


def test_of_long_texts_only_what_is_near_is_told() -> None:
    before, behind = "far " * 900 + "near", "near" + " far" * 900
    blocks = (HEADING, Block(BlockKind.TEXT, before), Block(BlockKind.TEXT, behind))

    around = words_around(Page(1, blocks), Figure(2, b"jpeg"))

    assert len(around) < 1600
    assert "near\nnear" in around
    assert around.startswith("Sales\n")


async def test_a_failure_leaves_the_words_of_the_figure_and_a_warning() -> None:
    model = Model(DescriptionFailed("the model provider cannot be reached"))
    asked = page_with(Figure(2, b"jpeg"))

    page = await FigureDescriber(model.describe).describe(asked)

    assert page.blocks == asked.blocks
    assert (page.read_by, page.figures) == (ReadBy.MIXED, ())
    assert page.warning == (
        "the figure on page 3 was not described: the model provider cannot be reached"
    )


async def test_a_failure_does_not_hide_an_earlier_warning() -> None:
    model = Model(DescriptionFailed("the model provider failed"))
    asked = Page(3, (), warning="a picture is damaged", figures=(Figure(0, b"1"), Figure(0, b"2")))

    page = await FigureDescriber(model.describe).describe(asked)

    assert page.warning == (
        "a picture is damaged; 2 figures on page 3 were not described: the model provider failed"
    )


async def test_a_model_that_keeps_failing_is_not_asked_for_the_rest() -> None:
    model = Model(DescriptionFailed("the model provider did not answer in time"))
    describer = FigureDescriber(model.describe)

    pages = [await describer.describe(page_with(Figure(0, b"jpeg"))) for _ in range(9)]

    assert len(model.asked) == MAX_FAILURES
    assert all("the model provider did not answer in time" in page.warning for page in pages)


async def test_only_a_few_figures_are_described_at_once() -> None:
    running, most = 0, 0

    async def describe(image: bytes, context: str) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1
        return "A chart."

    figures = [Figure(0, bytes([number])) for number in range(3 * MAX_AT_ONCE)]
    page = await FigureDescriber(describe).describe(page_with(*figures))

    assert most == MAX_AT_ONCE
    assert len(page.blocks) == 4 + len(figures)


@pytest.mark.parametrize("answer", ["", " \n\t", "\x00\x07"])
async def test_a_model_that_says_nothing_adds_nothing(answer: str) -> None:
    page = await FigureDescriber(Model(answer).describe).describe(page_with(Figure(2, b"jpeg")))

    assert (len(page.blocks), page.read_by, page.warning) == (4, ReadBy.MIXED, "")


async def test_what_the_model_says_is_cleaned_and_cut() -> None:
    model = Model("A\x00 chart\u2028of bars. " + "more " * 5000)

    page = await FigureDescriber(model.describe).describe(page_with(Figure(0, b"jpeg")))

    assert page.blocks[0].text.startswith("Figure: A chart\nof bars. more")
    assert len(page.blocks[0].text) <= len("Figure: ") + MAX_DESCRIPTION_CHARACTERS


def page_with(*figures: Figure) -> Page:
    blocks = (HEADING, INTRODUCTION, WORDS, END)
    return Page(3, blocks, read_by=ReadBy.MIXED, figures=figures)
