"""Read the words of a drawing (SVG) within a web page or a book: labels, legends, whole pages."""

from collections.abc import Callable, Mapping

from indexing.partition.text import clean_line

# Each of these stands at a place of its own; what is in `foreignobject` is a part of a web page.
PLACED = {"text", "tspan", "textpath", "foreignobject", "p", "div", "li", "td", "th", "br"}
SHOWN = {"text", "foreignobject"}
# Spare parts, and what is told about the drawing and never shown in it.
UNSEEN = {"defs", "symbol", "title", "desc", "metadata", "style", "script"}


def no_mark(_address: str) -> str:
    """Let no picture be read."""
    return ""


class DrawingBuilder:
    """Takes start tags, end tags and text within a drawing, as a parser's target does."""

    def __init__(self, mark: Callable[[str], str] = no_mark) -> None:
        self._mark = mark
        self._open: list[str] = []
        self._shown = 0  # how many of the open tags show text
        self._unseen = 0  # how many of them hide it
        self._lines: list[list[str]] = [[]]

    @property
    def depth(self) -> int:
        """How many tags within the drawing are open."""
        return len(self._open)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take a start tag, with a prefix or without."""
        name = tag.rpartition(":")[2]
        self._open.append(name)
        self._count(name, 1)
        if name == "image" and not self._unseen:
            address = attributes.get("xlink:href") or attributes.get("href") or ""
            self._lines += [[self._mark(address)], []]

    def end(self) -> None:
        """Take an end tag."""
        self._count(self._open.pop(), -1)

    def data(self, text: str) -> None:
        """Take text; only what is shown is kept."""
        if self._shown and not self._unseen:
            self._lines[-1].append(text)

    def text(self) -> str:
        """Return what is shown, a line for each place."""
        lines = (clean_line("".join(line)) for line in self._lines)
        return "\n".join(filter(None, lines))

    def _count(self, name: str, by: int) -> None:
        self._shown += by * (name in SHOWN)
        self._unseen += by * (name in UNSEEN)
        if name in PLACED:
            self._lines.append([])
