"""Look for the texts of a document, one after the other, in the letters of its laid out pages."""

import bisect
import itertools
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MIN_LETTERS = 4
# A short text is looked for close by, a longer one further on.
LETTERS_AHEAD_PER_LETTER = 150
MAX_LETTERS_AHEAD = 6000
# Fewer letters than this say little about where the document goes on.
TELLING_LETTERS = 30

# What the layout has otherwise, a formula for one, is passed over if what is behind stands close.
MIN_LETTERS_BEHIND = 8
LETTERS_OF_A_FORMULA = 200

# Notes stand behind their paragraph in the document, and at the foot of the page in its layout.
LETTERS_OF_A_MARK = 4
LETTERS_TO_TELL = 24
LETTERS_OF_A_HEAD = 200


@dataclass(slots=True)
class Layout:
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
    def of(cls, page_texts: Sequence[str]) -> "Layout":
        pages = [letters_of(text) for text in page_texts]
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
        key = letters_of(text)
        if len(key) < MIN_LETTERS:
            return None
        self.sought += len(key)
        page = self._find_key(key)
        self.found += 0 if page is None else len(key)
        return page

    def find_row(self, text: str) -> int | None:
        """Return the page on which a whole row stands, close by; go on behind it.

        What its cells have alone may stand in other rows as well.
        """
        key = letters_of(text)
        if len(key) < TELLING_LETTERS:
            return None
        found = self._find_ahead(key, self.place)
        if found < 0:
            found = self.letters.find(key, self.starts[self.page], self.place)
        if found < 0 or self._page_at(found) != self._page_at(found + len(key) - 1):
            return None
        self.sought += len(key)
        self.found += len(key)
        self.place, self.page, self.elsewhere = found + len(key), self._page_at(found), None
        return self.page

    def stands_here(self, text: str) -> bool:
        """Tell whether the text stands right here."""
        return self.letters.startswith(letters_of(text), self.place)

    def goes_on_without(self, text: str, behind: Iterable[str]) -> bool:
        """Tell whether not this text stands here but one behind it, as of a note at the foot."""
        here = self.letters[self.place : self.place + LETTERS_OF_A_MARK + LETTERS_TO_TELL]
        if letters_of(text[: 2 * LETTERS_TO_TELL])[:LETTERS_TO_TELL] in here:
            return False
        return any(
            len(one) >= MIN_LETTERS_BEHIND and one[:LETTERS_TO_TELL] in here for one in behind
        )

    def cut_at(self, beginning: str, rest: str) -> bool:
        """Tell whether the beginning stands here, the rest on top of the next page; go there."""
        key, rest_key = letters_of(beginning), letters_of(rest)
        page = self._page_at(self.place) + 1
        is_here = self.letters.startswith(key, self.place) and page < len(self.starts)
        if not is_here or len(rest_key) < MIN_LETTERS:
            return False
        top = self.starts[page]
        found = self.letters.find(rest_key, top, top + len(rest_key) + LETTERS_OF_A_HEAD)
        if found < 0 or self.place + len(key) > top:
            return False
        if self.letters.endswith(key, top, found):
            # The page begins with the whole: it is a foot that says its first words here.
            return False
        self.sought += len(key)
        self.found += len(key)
        self.page, self.place = page - 1, found
        return True

    def take_found(self, text: str) -> bool:
        """Tell whether the text stands right here, and go on behind it."""
        key = letters_of(text)
        is_here = self.letters.startswith(key, self.place)
        if is_here:
            self.page = self._page_at(self.place)
            self.place += len(key)
            self.found += len(key)
        return is_here

    def go_on_at(self, text: str) -> bool:
        """Tell whether the text stands a little further on, and go on there."""
        key = letters_of(text)
        end = self.place + len(key) + LETTERS_OF_A_FORMULA
        found = self.letters.find(key, self.place, end)
        is_close = found >= 0 and len(key) >= MIN_LETTERS_BEHIND
        self.place = found if is_close else self.place
        return is_close

    def page_of_short(self, text: str, behind: str) -> int:
        """Return the page of a text that is too short to be looked for by itself.

        It stands right here, or right before the letters that come behind it.
        """
        key = letters_of(text)
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
        key = letters_of(text)
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
        key = letters_of(text)
        if len(key) >= TELLING_LETTERS:
            places = self.letters.rfind(key, 0, self.place), self.letters.find(key, self.place)
            found = [place for place in places if place >= 0]
            if found:
                nearest = min(found, key=lambda place: abs(place - self.place))
                self.elsewhere = nearest + len(key)

    def _page_at(self, place: int) -> int:
        return bisect.bisect_right(self.starts, place) - 1


def pages_of_lines(page_texts: Sequence[str]) -> dict[str, list[int]]:
    """Return on which pages each line stands, in order."""
    pages: dict[str, list[int]] = {}
    for page, text in enumerate(page_texts):
        for line in set(map(letters_of, text.splitlines())):
            pages.setdefault(line, []).append(page)
    return pages


def letters_of(text: str) -> str:
    """Return the letters and digits of a text as they are compared."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in plain if character.isalnum())
