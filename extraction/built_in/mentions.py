"""A value where it stands."""

from dataclasses import dataclass, replace
from functools import cached_property

from extraction.built_in.labels import Surroundings
from extraction.built_in.layout import Passage
from extraction.types import Value


@dataclass(frozen=True)
class Mention:
    """A value at the characters `start` to `end` of a passage, which may become an answer."""

    passage: Passage
    start: int
    end: int
    value: Value
    form: float = 0.0  # 0 to 1: how much it looks like what its finder looks for
    until: int = 0  # where it ends on its page, if that is beyond the passage

    @cached_property
    def around(self) -> Surroundings:
        """What stands around it."""
        return Surroundings(self.passage, self.start, self.end)

    @property
    def page_span(self) -> tuple[int, int]:
        """Where it stands in the text of its page."""
        begin = self.passage.start
        return begin + self.start, self.until or begin + self.end

    def as_text(self) -> "Mention":
        """Return the same mention with the words of the page for its value."""
        return replace(self, value=self.passage.text[self.start : self.end])
