"""Find out on which page of the laid out document each word stands."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from indexing.partition.office.layout import (
    MIN_LETTERS,
    MIN_LETTERS_BEHIND,
    Layout,
    letters_of,
    pages_of_lines,
)
from indexing.types import CELL_MARK, NO_PAGE, Block, BlockKind, Page

# A text is looked up so many words at a time: enough to tell places apart, and little to lose
# where a page ends between them.
WORDS_AT_A_TIME = 8
# With less of the letters, the layout is of another text, or its letters have other names.
MIN_FOUND = 0.6

# By so many behind it is told where something stands: words, rows, and blocks, of which one may be
# a note that stands elsewhere.
WORDS_BEHIND = 3
ROWS_BEHIND = 8
BLOCKS_BEHIND = 4
BLOCKS_BEHIND_A_SHORT_ONE = 8

_WORD = re.compile(r"\S{1,20}\s*")


def place_on_pages(
    blocks: Iterable[Block], page_texts: Sequence[str], running: Iterable[Block] = ()
) -> list[Page]:
    """Put the blocks, in the order of the document, on the pages whose texts are given.

    A block that goes on over the end of a page is parted there; a table keeps its header. Where
    too little is found on the pages, the blocks come without page rather than on a wrong one.
    Those of the blocks that are `running` heads or feet stand on the first page that shows them.
    """
    blocks = list(blocks)
    running_ids = set(map(id, running))

    def behind(at: int, count: int) -> Iterable[Block]:
        # A foot stands at the end of any page, wherever the file has it.
        return (one for one in blocks[at + 1 : at + 1 + count] if id(one) not in running_ids)

    lines = pages_of_lines(page_texts) if running_ids else {}
    layout = Layout.of(page_texts)
    pages: list[list[Block]] = [[] for _ in page_texts or [""]]
    for at, block in enumerate(blocks):
        if id(block) in running_ids:
            pages[layout.first_page_of(block.text, lines)].append(block)
            continue
        if block.kind is not BlockKind.TABLE and 0 < len(letters_of(block.text)) < MIN_LETTERS:
            following = behind(at, BLOCKS_BEHIND_A_SHORT_ONE)
            pages[layout.page_of_short(block.text, _beginning(following))].append(block)
            continue
        spot = layout.spot
        beginnings = (_beginning([one]) for one in behind(at, BLOCKS_BEHIND))
        is_aside = layout.goes_on_without(block.text, beginnings)
        for page, part in _parts(block, layout):
            pages[page].append(part)
        layout.spot = spot if is_aside else layout.spot
    if len(pages) > 1 and layout.found < MIN_FOUND * layout.sought:
        return [Page(NO_PAGE, tuple(blocks))]
    return [Page(number, tuple(found)) for number, found in enumerate(pages, start=1)]


def count_numbered(pages: Iterable[Page]) -> int:
    """Count the pages whose number is known."""
    return sum(page.number != NO_PAGE for page in pages)


def _beginning(blocks: Iterable[Block]) -> str:
    """Return the first letters of the blocks, enough to tell their place."""
    letters = ""
    for block in blocks:
        words = itertools.islice(_WORD.finditer(f"{block.header} {block.text}"), WORDS_AT_A_TIME)
        letters += letters_of("".join(word[0] for word in words))
        if len(letters) >= MIN_LETTERS_BEHIND:
            break
    return letters


def _parts(block: Block, layout: Layout) -> Iterator[tuple[int, Block]]:
    """Yield the parts of the block with their pages, mostly a single one."""
    if block.kind is BlockKind.TABLE:
        if not block.text:
            yield next(_placed_rows([block.header], layout))[0], block
            return
        placed, joint = list(_placed_rows(block.text.split("\n"), layout)), "\n"
    elif block.kind is BlockKind.HEADING:
        placed, joint = [(_page_of(block.text, layout), block.text)], ""
    else:
        placed, joint = list(_placed_text(block.text, layout)), ""
    for page, parts in itertools.groupby(_in_order(placed), key=lambda one: one[0]):
        text = joint.join(part for _, part in parts)
        yield page, replace(block, text=text if joint else text.strip())


def _placed_text(text: str, layout: Layout) -> Iterator[tuple[int, str]]:
    for page, piece in _pieces(text, layout):
        yield layout.page if page is None else page, piece


def _pieces(text: str, layout: Layout) -> Iterator[tuple[int | None, str]]:
    """Yield the text in pieces with their pages, None for what is not found."""
    words = _WORD.findall(text)
    while words:
        piece, place = words[:WORDS_AT_A_TIME], layout.place
        if cut := _words_before_cut(words, layout):
            # What other cells have on this page stands behind these words.
            beginning = "".join(words[:cut])
            top, layout.place = layout.place, place + len(letters_of(beginning))
            yield layout.page, beginning
            layout.place = top
            words = words[cut:]
            continue
        page = layout.find_whole("".join(piece))
        if page is None:
            found = _words_found(piece, layout)
            count = found or _words_passed_over(words, layout)
            if not count:
                layout.look_elsewhere("".join(piece))
            else:
                # What is left of them is sought again.
                layout.sought -= len(letters_of("".join(piece[count:])))
                piece = piece[:count]
            yield (layout.page if found else None), "".join(piece)
        elif layout.place == place or (count := _words_on_page(piece, layout)) == len(piece):
            yield page, "".join(piece)
        else:
            end, layout.place = layout.place, layout.starts[page + 1]
            yield page, "".join(piece[:count])
            layout.spot = end, page + 1
            yield page + 1, "".join(piece[count:])
        words = words[len(piece) :]


def _words_before_cut(words: list[str], layout: Layout) -> int:
    """Return how many of the words stand right here and end their page, 0 if none do."""
    if layout.stands_here("".join(words[:WORDS_AT_A_TIME])):
        return 0
    for count in range(min(len(words), WORDS_AT_A_TIME) - 1, 0, -1):
        if layout.cut_at("".join(words[:count]), "".join(words[count : count + WORDS_AT_A_TIME])):
            return count
    return 0


def _words_on_page(piece: list[str], layout: Layout) -> int:
    """Return how many of the words that were just found stand before the end of their page."""
    if layout.page + 1 == len(layout.starts):
        return len(piece)
    left = layout.place - layout.starts[layout.page + 1]
    for count in range(len(piece), 0, -1):
        if left <= 0:
            return count
        left -= len(letters_of(piece[count - 1]))
    return 1


def _words_found(words: list[str], layout: Layout) -> int:
    """Return how many of the words still stand together: behind them a page may end.

    They stand right here, or close by where a page has ended before them.
    """
    beginnings = ["".join(words[:count]) for count in range(len(words) - 1, 0, -1)]
    for beginning in beginnings:
        if layout.take_found(beginning):
            return len(_WORD.findall(beginning))
    for beginning in beginnings[:-1]:
        if layout.go_on_at(beginning) and layout.take_found(beginning):
            return len(_WORD.findall(beginning))
    return 0


def _words_passed_over(words: list[str], layout: Layout) -> int:
    """Return behind how many words the text goes on close by, 0 if it does not."""
    for count in range(1, min(len(words), WORDS_AT_A_TIME)):
        if layout.go_on_at("".join(words[count : count + WORDS_BEHIND])):
            return count
    return 0


def _page_of(text: str, layout: Layout) -> int:
    page = layout.find(text)
    return layout.page if page is None else page


def _placed_rows(rows: Sequence[str], layout: Layout) -> Iterator[tuple[int, str]]:
    """Yield the rows with their pages; of one that goes over the end of a page, the parts."""
    above: list[str] = []
    for at, row in enumerate(rows):
        cells = row.split(CELL_MARK)
        sought = _without_repeats(cells, above, layout)
        if all(len(letters_of(cell)) < MIN_LETTERS for cell in sought):
            below = rows[at + 1 : at + 1 + ROWS_BEHIND]
            yield _page_of_short_cells("".join(sought), below, layout), row
        elif (page := layout.find_row("".join(sought))) is not None:
            yield page, row
        else:
            yield from _parted_row(cells, _cells_in_pieces(sought, layout), layout.page)
        above = cells


def _page_of_short_cells(row: str, below: Sequence[str], layout: Layout) -> int:
    if len(letters_of(row)) >= MIN_LETTERS:
        return _page_of(row, layout)
    return layout.page_of_short(row, letters_of("".join(below)))


def _without_repeats(cells: list[str], above: list[str], layout: Layout) -> list[str]:
    """Return the cells without those that the row above has too, if the rest tells enough.

    A name that is merged over several rows is drawn in the first of them alone. Where the rest is
    of a few letters, it counts that the row stands right here without its first cells.
    """
    pairs = itertools.zip_longest(cells, above[: len(cells)])
    rest = ["" if cell == other else cell for cell, other in pairs]
    if len(letters_of("".join(rest))) >= MIN_LETTERS:
        return rest
    repeated = sum(1 for _ in itertools.takewhile(bool, map(str.__eq__, cells, above)))
    for count in range(repeated + 1):
        drawn = [""] * count + cells[count:]
        if letters_of("".join(drawn)) and layout.stands_here("".join(drawn)):
            return drawn
    return cells


def _parted_row(
    cells: list[str], sought: list[list[tuple[int | None, str]]], otherwise: int
) -> Iterator[tuple[int, str]]:
    found = [page for pieces in sought for page, _ in pieces if page is not None]
    first = min(found, default=otherwise)
    parts: dict[int, list[str]] = {first: [""] * len(cells)}
    for column, (cell, pieces) in enumerate(zip(cells, sought, strict=True)):
        for page, piece in _parted_cell(cell, pieces, first):
            parts.setdefault(page, [""] * len(cells))[column] += piece
    for page in sorted(parts):
        yield page, CELL_MARK.join(map(str.strip, parts[page])).rstrip(" |")


def _cells_in_pieces(cells: Iterable[str], layout: Layout) -> list[list[tuple[int | None, str]]]:
    """Look for the cells of a row, each behind what the page on which it begins has of the others.

    Where the page ends, the next one goes on with the first cell.
    """
    sought = []
    first, furthest = None, layout.spot
    for cell in cells:
        pieces, spot = [], layout.spot
        # A few letters are not looked for, but what stands behind them is only found behind them.
        is_here = 0 < len(letters_of(cell)) < MIN_LETTERS and layout.take_found(cell)
        for page, piece in [(layout.page, cell)] if is_here else _pieces(cell, layout):
            pieces.append((page, piece))
            first = page if first is None else first
            spot = layout.spot if page == first else spot
        sought.append(pieces)
        furthest = max(furthest, layout.spot)
        layout.spot = spot
    layout.spot = furthest
    return sought


def _parted_cell(
    cell: str, pieces: list[tuple[int | None, str]], first: int
) -> Iterator[tuple[int, str]]:
    """Yield the pieces of a cell with their pages.

    One that was found to begin on another page than its row is not: there stands the like of it.
    """
    begins = next((page for page, _ in pieces if page is not None), None)
    if begins == first:
        yield from _in_order((first if page is None else page, piece) for page, piece in pieces)
    else:
        yield first, cell


def _in_order(placed: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Let no part of a block stand on an earlier page than the part before it."""
    last = 0
    for page, text in placed:
        last = max(last, page)
        yield last, text
