"""Find out on which page of the laid out document each word stands."""

import bisect
import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from indexing.types import CELL_MARK, NO_PAGE, Block, BlockKind, Page

# A text is looked up so many words at a time: enough to tell places apart, and little to lose
# where a page ends between them.
WORDS_AT_A_TIME = 8
MIN_LETTERS = 4
# A short text is looked for close by, a longer one further on.
LETTERS_AHEAD_PER_LETTER = 150
MAX_LETTERS_AHEAD = 6000
# Fewer letters than this say little about where the document goes on.
TELLING_LETTERS = 30
# With less of the letters, the layout is of another text, or its letters have other names.
MIN_FOUND = 0.6

# What the layout has otherwise, a formula for one, is passed over if so many words behind it stand
# so close.
WORDS_BEHIND = 3
ROWS_BEHIND = 8
# Notes stand behind their paragraph in the document, and at the foot of the page in its layout.
BLOCKS_BEHIND = 4
LETTERS_OF_A_MARK = 4
LETTERS_TO_TELL = 24
LETTERS_OF_A_HEAD = 200
MIN_LETTERS_BEHIND = 8
LETTERS_OF_A_FORMULA = 200

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
    lines = _pages_of_lines(page_texts) if running_ids else {}
    layout = _Layout.of(page_texts)
    pages: list[list[Block]] = [[] for _ in page_texts or [""]]
    for at, block in enumerate(blocks):
        if id(block) in running_ids:
            pages[layout.first_page_of(block.text, lines)].append(block)
            continue
        if block.kind is not BlockKind.TABLE and 0 < len(_letters(block.text)) < MIN_LETTERS:
            behind = (one for one in blocks[at + 1 : at + 9] if id(one) not in running_ids)
            pages[layout.page_of_short(block.text, _beginning(behind))].append(block)
            continue
        spot = layout.spot
        following = (_beginning([one]) for one in blocks[at + 1 : at + 1 + BLOCKS_BEHIND])
        is_aside = layout.goes_on_without(block.text, following)
        for page, part in _parts(block, layout):
            pages[page].append(part)
        layout.spot = spot if is_aside else layout.spot
    if len(pages) > 1 and layout.found < MIN_FOUND * layout.sought:
        return [Page(NO_PAGE, tuple(blocks))]
    return [Page(number, tuple(found)) for number, found in enumerate(pages, start=1)]


def count_numbered(pages: Iterable[Page]) -> int:
    """Count the pages whose number is known."""
    return sum(page.number != NO_PAGE for page in pages)


@dataclass(slots=True)
class _Layout:
    """The letters of all pages in a row, and how far the document has been found in them."""

    letters: str
    starts: list[int]  # where each page begins
    place: int = 0
    page: int = 0
    elsewhere: int | None = None  # behind a text that was met far off
    sought: int = 0  # letters
    found: int = 0

    @property
    def spot(self) -> tuple[int, int]:
        """Where what comes next is looked for, and the page it is likely on."""
        return self.place, self.page

    @spot.setter
    def spot(self, spot: tuple[int, int]) -> None:
        self.place, self.page = spot

    @classmethod
    def of(cls, page_texts: Sequence[str]) -> "_Layout":
        pages = [_letters(text) for text in page_texts]
        starts = list(itertools.accumulate(map(len, pages[:-1]), initial=0))
        return cls("".join(pages), starts)

    def find(self, text: str) -> int | None:
        """Return the page of the text that comes next, None if it is not found as it stands."""
        page = self.find_whole(text)
        if page is None:
            self.look_elsewhere(text)
        return page

    def find_whole(self, text: str) -> int | None:
        """Return what `find` does; what is not found is not looked for far off."""
        key = _letters(text)
        if len(key) < MIN_LETTERS:
            return None
        self.sought += len(key)
        page = self._find_key(key)
        self.found += 0 if page is None else len(key)
        return page

    def stands_here(self, text: str) -> bool:
        """Tell whether the text stands right here."""
        return self.letters.startswith(_letters(text), self.place)

    def goes_on_without(self, text: str, behind: Iterable[str]) -> bool:
        """Tell whether not this text stands here but one behind it, as of a note at the foot."""
        here = self.letters[self.place : self.place + LETTERS_OF_A_MARK + LETTERS_TO_TELL]
        if _letters(text[: 2 * LETTERS_TO_TELL])[:LETTERS_TO_TELL] in here:
            return False
        return any(
            len(one) >= MIN_LETTERS_BEHIND and one[:LETTERS_TO_TELL] in here for one in behind
        )

    def cut_at(self, beginning: str, rest: str) -> bool:
        """Tell whether the beginning stands here, the rest on top of the next page; go there."""
        key, rest_key = _letters(beginning), _letters(rest)
        page = self._page_at(self.place) + 1
        is_here = self.letters.startswith(key, self.place) and page < len(self.starts)
        if not is_here or len(rest_key) < MIN_LETTERS:
            return False
        top = self.starts[page]
        found = self.letters.find(rest_key, top, top + len(rest_key) + LETTERS_OF_A_HEAD)
        if found < 0 or self.place + len(key) > top:
            return False
        self.sought += len(key)
        self.found += len(key)
        self.page, self.place = page - 1, found
        return True

    def take_found(self, text: str) -> bool:
        """Tell whether the text stands right here, and go on behind it."""
        key = _letters(text)
        is_here = self.letters.startswith(key, self.place)
        if is_here:
            self.page = self._page_at(self.place)
            self.place += len(key)
            self.found += len(key)
        return is_here

    def go_on_at(self, text: str) -> bool:
        """Tell whether the text stands a little further on, and go on there."""
        key = _letters(text)
        end = self.place + len(key) + LETTERS_OF_A_FORMULA
        found = self.letters.find(key, self.place, end)
        is_close = found >= 0 and len(key) >= MIN_LETTERS_BEHIND
        self.place = found if is_close else self.place
        return is_close

    def page_of_short(self, text: str, behind: str) -> int:
        """Return the page of a text that is too short to be looked for by itself.

        It stands right here, or right before the letters that come behind it.
        """
        key = _letters(text)
        if not key:
            return self.page
        found = self.place if self.letters.startswith(key, self.place) else -1
        if found < 0 and len(behind) >= MIN_LETTERS_BEHIND:
            found = self._find_ahead(key + behind, self.place)
        if found >= 0:
            self.place, self.page = found + len(key), self._page_at(found)
        return self.page

    def first_page_of(self, text: str, pages_of_lines: dict[str, list[int]]) -> int:
        """Return the first page from here on that shows the text; what is looked for goes on here.

        A head of left pages stands two pages on, and the text of the first page is still to come.
        """
        key = _letters(text)
        if len(key) < MIN_LETTERS:
            return self.page
        pages = pages_of_lines.get(key, [])
        if (ahead := bisect.bisect_left(pages, self.page)) < len(pages):
            return pages[ahead]
        found = self.letters.find(key, self.starts[self.page])
        found = self.letters.find(key) if found < 0 else found
        return self.page if found < 0 else self._page_at(found)

    def _find_key(self, key: str) -> int | None:
        found = self._find_ahead(key, self.place)
        if found < 0 and self.elsewhere is not None and len(key) >= TELLING_LETTERS:
            # One text far off is chance, a second right behind it is where the document goes on.
            found = self._find_ahead(key, self.elsewhere)
        if found >= 0:
            self.place, self.elsewhere = found + len(key), None
            self.page = self._page_at(found)
            return self.page
        # Notes and text boxes stand before or behind the words they belong to.
        around = self.starts[max(0, self.page - 1)]
        found = self.letters.find(key, around, self.place)
        return self._page_at(found) if found >= 0 else None

    def _find_ahead(self, key: str, place: int) -> int:
        ahead = min(len(key) * LETTERS_AHEAD_PER_LETTER, MAX_LETTERS_AHEAD)
        return self.letters.find(key, place, place + len(key) + ahead)

    def look_elsewhere(self, text: str) -> None:
        """Remember where the text stands next to here, if it stands anywhere."""
        key = _letters(text)
        if len(key) >= TELLING_LETTERS:
            places = self.letters.rfind(key, 0, self.place), self.letters.find(key, self.place)
            found = [place for place in places if place >= 0]
            if found:
                nearest = min(found, key=lambda place: abs(place - self.place))
                self.elsewhere = nearest + len(key)

    def _page_at(self, place: int) -> int:
        return bisect.bisect_right(self.starts, place) - 1


def _pages_of_lines(page_texts: Sequence[str]) -> dict[str, list[int]]:
    """Return on which pages each line stands, in order."""
    pages: dict[str, list[int]] = {}
    for page, text in enumerate(page_texts):
        for line in set(map(_letters, text.splitlines())):
            pages.setdefault(line, []).append(page)
    return pages


def _beginning(blocks: Iterable[Block]) -> str:
    """Return the first letters of the blocks, enough to tell their place."""
    letters = ""
    for block in blocks:
        words = itertools.islice(_WORD.finditer(f"{block.header} {block.text}"), WORDS_AT_A_TIME)
        letters += _letters("".join(word[0] for word in words))
        if len(letters) >= MIN_LETTERS_BEHIND:
            break
    return letters


def _parts(block: Block, layout: _Layout) -> Iterator[tuple[int, Block]]:
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


def _placed_text(text: str, layout: _Layout) -> Iterator[tuple[int, str]]:
    for page, piece in _pieces(text, layout):
        yield layout.page if page is None else page, piece


def _pieces(text: str, layout: _Layout) -> Iterator[tuple[int | None, str]]:
    """Yield the text in pieces with their pages, None for what is not found."""
    words = _WORD.findall(text)
    while words:
        piece, place = words[:WORDS_AT_A_TIME], layout.place
        if cut := _words_before_cut(words, layout):
            yield layout.page, "".join(words[:cut])
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
                layout.sought -= len(_letters("".join(piece[count:])))
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


def _words_before_cut(words: list[str], layout: _Layout) -> int:
    """Return how many of the words stand right here and end their page, 0 if none do."""
    if layout.stands_here("".join(words[:WORDS_AT_A_TIME])):
        return 0
    for count in range(min(len(words), WORDS_AT_A_TIME) - 1, 0, -1):
        if layout.cut_at("".join(words[:count]), "".join(words[count : count + WORDS_AT_A_TIME])):
            return count
    return 0


def _words_on_page(piece: list[str], layout: _Layout) -> int:
    """Return how many of the words that were just found stand before the end of their page."""
    if layout.page + 1 == len(layout.starts):
        return len(piece)
    left = layout.place - layout.starts[layout.page + 1]
    for count in range(len(piece), 0, -1):
        if left <= 0:
            return count
        left -= len(_letters(piece[count - 1]))
    return 1


def _words_found(words: list[str], layout: _Layout) -> int:
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


def _words_passed_over(words: list[str], layout: _Layout) -> int:
    """Return behind how many words the text goes on close by, 0 if it does not."""
    for count in range(1, min(len(words), WORDS_AT_A_TIME)):
        if layout.go_on_at("".join(words[count : count + WORDS_BEHIND])):
            return count
    return 0


def _page_of(text: str, layout: _Layout) -> int:
    page = layout.find(text)
    return layout.page if page is None else page


def _placed_rows(rows: Sequence[str], layout: _Layout) -> Iterator[tuple[int, str]]:
    """Yield the rows with their pages; of one that goes over the end of a page, the parts."""
    above: list[str] = []
    for at, row in enumerate(rows):
        cells = row.split(CELL_MARK)
        sought = _without_repeats(cells, above)
        if all(len(_letters(cell)) < MIN_LETTERS for cell in sought):
            below = rows[at + 1 : at + 1 + ROWS_BEHIND]
            yield _page_of_short_cells("".join(sought), below, layout), row
        else:
            yield from _parted_row(cells, _cells_in_pieces(sought, layout), layout.page)
        above = cells


def _page_of_short_cells(row: str, below: Sequence[str], layout: _Layout) -> int:
    if len(_letters(row)) >= MIN_LETTERS:
        return _page_of(row, layout)
    return layout.page_of_short(row, _letters("".join(below)))


def _without_repeats(cells: list[str], above: list[str]) -> list[str]:
    """Return the cells without those that the row above has too, if the rest tells enough.

    A name that is merged over several rows is drawn in the first of them alone.
    """
    pairs = itertools.zip_longest(cells, above[: len(cells)])
    rest = ["" if cell == other else cell for cell, other in pairs]
    return rest if len(_letters("".join(rest))) >= MIN_LETTERS else cells


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


def _cells_in_pieces(cells: Iterable[str], layout: _Layout) -> list[list[tuple[int | None, str]]]:
    """Look for the cells of a row, each behind what the page on which it begins has of the others.

    Where the page ends, the next one goes on with the first cell.
    """
    sought = []
    first, furthest = None, layout.spot
    for cell in cells:
        pieces, spot = [], layout.spot
        for page, piece in _pieces(cell, layout):
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


def _letters(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in plain if character.isalnum())
