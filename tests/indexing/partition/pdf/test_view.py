from contextlib import closing
from pathlib import Path

import pypdfium2

from indexing.partition.pdf.pictures import drawn_objects, page_areas
from indexing.partition.pdf.view import PageView, Seen, lines_not_seen, merged
from indexing.types import Block, BlockKind
from indexing.visual_layer import PlacedFigure
from indexing.visual_rows import PlacedBlock

FILES = Path(__file__).parents[3] / "files"


def test_a_picture_stands_behind_the_lines_above_it() -> None:
    text = [[_placed("before", 0, 10), _placed("after", 0, 90)]]

    blocks = merged(text, [_placed("seen", 0, 50)])

    assert _texts(blocks) == ["before", "seen", "after"]


def test_a_picture_stands_in_its_own_column() -> None:
    text = [[_placed("left above", 0, 10)], [_placed("left below", 0, 90)], [_placed("r", 300, 10)]]

    blocks = merged(text, [_placed("seen", 0, 50)])

    assert _texts(blocks) == ["left above", "seen", "left below", "r"]


def test_a_paragraph_beside_a_picture_is_not_cut() -> None:
    beside = [_placed(f"line {n}", 0, 20 * n) for n in range(4)]
    wide = PlacedBlock(Block(BlockKind.TEXT, "wide"), 0, 0, 500, 12)

    blocks = merged([[wide, *beside[1:]]], [_placed("seen", 300, 25)])

    assert _texts(blocks) == ["wide\nline 1\nline 2\nline 3", "seen"]


def test_a_picture_above_all_text_comes_first() -> None:
    blocks = merged([[_placed("text", 0, 100)]], [_placed("seen", 0, 10)])

    assert _texts(blocks) == ["seen", "text"]


def test_a_figure_stands_before_the_words_in_it() -> None:
    text = [[_placed("before", 0, 10), _placed("after", 0, 90)]]

    content = merged(text, [_figure(50), _placed("seen", 0, 52)])

    assert _texts(content) == ["before", "<figure>", "seen", "after"]


def test_a_figure_without_words_parts_no_paragraph() -> None:
    text = [[_placed("before", 0, 10), _placed("after", 0, 90)], [_placed("end", 0, 120)]]

    content = merged(text, [_figure(50)])

    assert _texts(content) == ["before\nafter", "<figure>", "end"]


def test_only_what_was_not_seen_is_left_of_the_text() -> None:
    seen = [_placed("DELIVERY NOTE", 0, 0)]

    assert lines_not_seen(["Delivery Note", "", "Bates 000123"], seen) == [2]


def test_the_same_picture_is_read_once() -> None:
    seen = Seen(has_pictures=True)

    with closing(pypdfium2.PdfDocument(FILES / "delivery-note-scan.pdf")) as pdf:
        page = pdf[0]
        areas = page_areas(page, drawn_objects(page))
        texts = [
            [
                placed.block.text
                for placed in PageView(page, areas).read(area, None, seen)
                if isinstance(placed, PlacedBlock)
            ]
            for area in areas * 2
        ]

    assert texts[0] == texts[1]
    assert len(seen.read) == 1


def _figure(top: float) -> PlacedFigure:
    return PlacedFigure(b"", 0, top, 200, top)


def _texts(content: list[Block | PlacedFigure]) -> list[str]:
    return ["<figure>" if isinstance(one, PlacedFigure) else one.text for one in content]


def _placed(text: str, left: float, top: float) -> PlacedBlock:
    return PlacedBlock(Block(BlockKind.TEXT, text), left, top, left + 200, top + 12)
