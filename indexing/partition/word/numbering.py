"""Bring the numbering of a Word document into the shape in which it is read (17.9 of ECMA-376)."""

import copy

from indexing.partition.office.package_xml import MC, Element
from indexing.partition.word.elements import W

LEVEL, LINK, STYLE = (f"{W}{name}" for name in ("lvl", "numStyleLink", "styleLink"))
FORMAT = f"{W}numFmt"


def settle_numbering(numbering: Element) -> None:
    """Write out the levels of list styles where they are used, and the formats of newer programs.

    What uses a list style says no more than its name; only the style has the levels.
    """
    lists = list(numbering.iterchildren(f"{W}abstractNum"))
    by_style = {_value(one, STYLE): one for one in lists if one.find(STYLE) is not None}
    for one in lists:
        style = by_style.get(_value(one, LINK))
        if style is not None and one.find(LEVEL) is None:
            one.extend(map(copy.deepcopy, style.iterchildren(LEVEL)))
    for choice in list(numbering.iter(f"{MC}AlternateContent")):
        level = choice.getparent()
        newer = choice.find(f"{MC}Choice/{FORMAT}")
        if level.tag == LEVEL and newer is not None and (shown := newer.get(f"{W}format")):
            newer.set(f"{W}val", shown)
            level.replace(choice, newer)


def _value(element: Element, name: str) -> str:
    child = element.find(name)
    return "" if child is None else child.get(f"{W}val", "")
