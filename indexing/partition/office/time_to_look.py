"""How long a reader looks at the pictures of a text: the rest of its time is for the text."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf

SHARE = 0.8
"""Of the time that a document has, and of that which one of its pages has."""

OVER = "there was no time left to look at them; upload the document in smaller parts"


@dataclass(slots=True)
class TimeToLook:
    """The time of the document that is being read, and of its page."""

    _page_seconds: float = inf
    _end: float = inf
    _page_end: float = inf
    _longest: float = 0.0  # of looking at a picture

    def begin(self, seconds: float, page_seconds: float) -> None:
        """Begin with a document that may be read for so long, and each of its pages."""
        self._longest = 0.0
        self._end = time.monotonic() + SHARE * seconds
        self._page_seconds = SHARE * page_seconds
        self.begin_page()

    def begin_page(self) -> None:
        """Begin with the next page."""
        self._page_end = min(self._end, time.monotonic() + self._page_seconds)

    def is_over(self) -> bool:
        """Tell whether it may not suffice for a further picture on this page."""
        return time.monotonic() + self._longest > self._page_end

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Look at a picture; the next ones are thought to take as long."""
        began = time.monotonic()
        try:
            yield
        finally:
            self._longest = max(self._longest, time.monotonic() - began)


TIME_TO_LOOK = TimeToLook()
"""Of this process, which reads one document at a time; without an end until a document begins."""
