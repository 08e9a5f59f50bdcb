"""Tell the tags that are drawn, or read out, as a table or as parts of one, though no such tags."""

import re
from collections.abc import Mapping

_BY_ROLE = {
    "table": "table",
    "grid": "table",
    "treegrid": "table",
    "row": "tr",
    "cell": "td",
    "gridcell": "td",
    "columnheader": "th",
    "rowheader": "th",
}
_BY_DISPLAY = {"table": "table", "table-row": "tr", "table-cell": "td"}
_DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*([a-z-]+)", re.IGNORECASE)


def part_of_table(attributes: Mapping[str, str]) -> str:
    """Return the tag that a part of a table would have, "" for what is none.

    For those who do not see the page (ARIA), or by a style of its own.
    """
    if role := _BY_ROLE.get(attributes.get("role") or ""):
        return role
    style = attributes.get("style")
    display = _DISPLAY.search(style) if style else None
    return _BY_DISPLAY.get(display[1].lower(), "") if display else ""
