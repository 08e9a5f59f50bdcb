"""Count the numbered lists and headings of an OpenDocument, whose numbers no text has."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lxml import etree

from indexing.partition.numerals import stated_number
from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.names import ITEM, LIST, STYLE, TEXT, XML_ID
from indexing.partition.open_document.numerals import number_of_level

MAX_LEVEL = 10


@dataclass(slots=True)
class _List:
    style: str
    counts: list[int | None] = field(default_factory=lambda: [None] * MAX_LEVEL)


class ListNumbers:
    """Counts the lists of an OpenDocument text, and its headings, as they are gone through."""

    def __init__(self, parts: list[Element]) -> None:
        self._styles = _list_styles(parts)
        outlines = [one for part in parts for one in part.iter(f"{TEXT}outline-style")]
        self._outline = _levels(outlines[0]) if outlines else {}
        self._headings = _List("")
        self._lists: dict[str, _List] = {}  # the last one of each style, and those with an id
        self._open: list[tuple[_List, str]] = []  # with the style of this level
        self._fresh: list[Element] = []  # items whose first paragraph is still to come
        self._ahead: dict[Element, str] | None = None

    def count_ahead(self, body: Element, is_left_out: Callable[[Element], bool]) -> None:
        """Count all paragraphs where they stand now, for they are to be moved."""
        labels: dict[Element, str] = {}
        walk = etree.iterwalk(body, events=("start", "end"))
        for event, element in walk:
            if element.tag in (LIST, ITEM):
                (self.enter if event == "start" else self.leave)(element)
            elif event == "start" and is_left_out(element):
                walk.skip_subtree()
            elif event == "start" and element.tag in (f"{TEXT}p", f"{TEXT}h"):
                labels[element] = self.label(element)
        self._ahead = labels

    def enter(self, element: Element) -> None:
        """Enter a list or an item of one."""
        if element.tag == ITEM:
            self._fresh.append(element)
            return
        style = element.get(f"{TEXT}style-name", "")
        if self._open:
            outer, its_style = self._open[-1]
            self._open.append((outer, style or its_style))
            return
        goes_on = element.get(f"{TEXT}continue-numbering") == "true"
        before = element.get(f"{TEXT}continue-list") or (style if goes_on else None)
        opened = self._lists.get(before or "") or _List(style)
        self._open.append((opened, opened.style))
        for name in filter(None, (style, element.get(XML_ID))):
            self._lists[name] = opened

    def leave(self, element: Element) -> None:
        """Leave a list or an item."""
        if element.tag == LIST:
            self._open.pop()
        elif self._fresh and self._fresh[-1] is element:
            self._fresh.pop()

    def label(self, paragraph: Element) -> str:
        """Return the number before the paragraph; "" where it is none of the first in an item."""
        if self._ahead is not None:
            return self._ahead.get(paragraph, "")
        if self._open and self._fresh:
            item = self._fresh.pop()
            # What lies around it and has no paragraph of its own is not counted.
            self._fresh.clear()
            counted, style = self._open[-1]
            return _counted(counted, self._styles.get(style, {}), len(self._open), item)
        if not self._open and paragraph.tag == f"{TEXT}h":
            level = paragraph.get(f"{TEXT}outline-level", "")
            if level.isdecimal() and len(level) < 3:
                return _counted(self._headings, self._outline, int(level), paragraph)
        return ""


class SlideNumbers:
    """Counts the paragraphs of each text box of a presentation, whatever lists they are in.

    Impress begins a list wherever the style changes, and counts on all the same: a number follows
    the last one of its level, unless a paragraph of a level above or of another kind is between.
    """

    def __init__(self, parts: list[Element]) -> None:
        self._styles = _list_styles(parts)
        self._box: Element | None = None
        self._open: list[str] = []  # the styles of the lists that are open
        self._fresh: Element | None = None  # the item whose first paragraph is still to come
        self._counts: list[tuple[str, int]] = []  # by level: how it is numbered, and how far

    def enter(self, element: Element) -> None:
        """Enter a list or an item of one."""
        if element.tag == ITEM:
            self._fresh = element
            return
        if not self._open and element.getparent() is not self._box:
            self._box = element.getparent()
            self._counts = []
        outer = self._open[-1] if self._open else ""
        self._open.append(element.get(f"{TEXT}style-name", "") or outer)

    def leave(self, element: Element) -> None:
        """Leave a list or an item."""
        if element.tag == LIST:
            self._open.pop()
        else:
            self._fresh = None

    def label(self, paragraph: Element) -> str:
        """Return the number before the paragraph; "" where it is none of the first in an item."""
        if self._fresh is None:
            self._counts = self._counts if self._open else []
            return ""
        item, self._fresh = self._fresh, None
        level = len(self._open)
        own = self._styles.get(self._open[-1], {}).get(level, {})
        before, after = (own.get(f"{STYLE}num-{side}", "") for side in ("prefix", "suffix"))
        kind = f"{before}{own.get(f'{STYLE}num-format', '')}{after}"
        last = self._counts[level - 1 : level]
        number = stated_number(own.get(f"{TEXT}start-value"), 1)
        if last and last[0][0] == kind:
            number = last[0][1] + 1
        number = stated_number(item.get(f"{TEXT}start-value"), number)
        passed_over = [("", 0)] * (level - 1 - len(self._counts))
        self._counts = [*self._counts[: level - 1], *passed_over, (kind, number)]
        text = number_of_level(number, own)
        return f"{before}{text}{after}" if text else ""


def _list_styles(parts: list[Element]) -> dict[str, dict[int, Mapping[str, str]]]:
    return {
        style.get(f"{STYLE}name", ""): _levels(style)
        for part in parts
        for style in part.iter(f"{TEXT}list-style")
    }


def _levels(style: Element) -> dict[int, Mapping[str, str]]:
    levels = ((one.get(f"{TEXT}level", ""), one) for one in style.iterchildren(etree.Element))
    return {int(n): one.attrib for n, one in levels if n.isdecimal() and len(n) < 3}


def _counted(
    counted: _List, levels: Mapping[int, Mapping[str, str]], level: int, item: Element
) -> str:
    """Count the item in and return its number with those of the levels above that it shows."""
    if not 0 < level <= MAX_LEVEL:
        return ""
    attributes = [levels.get(n, {}) for n in range(1, level + 1)]
    counts = counted.counts[:level]
    last = counts[-1]
    counts[-1] = stated_number(item.get(f"{TEXT}start-value"), 0) or (
        None if last is None else last + 1
    )
    # Levels above that were passed over begin with this one.
    starts = (stated_number(one.get(f"{TEXT}start-value"), 1) for one in attributes)
    numbers = [
        start if count is None else count for count, start in zip(counts, starts, strict=True)
    ]
    counted.counts = [*numbers, *[None] * (MAX_LEVEL - level)]
    own = attributes[-1]
    texts = [number_of_level(number, one) for number, one in zip(numbers, attributes, strict=True)]
    if not texts[-1]:
        return ""
    shown = texts[-stated_number(own.get(f"{TEXT}display-levels"), 1) :]
    number = ".".join(filter(None, shown))
    return f"{own.get(f'{STYLE}num-prefix', '')}{number}{own.get(f'{STYLE}num-suffix', '')}"
