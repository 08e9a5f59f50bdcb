"""Keep in the tables of Markdown what the library leaves out: cells that have no name above them.

And take bars in code for what they are; to the library they part cells.
"""

import re
from collections.abc import Sequence

BAR_IN_CODE = "\ue07c"
"""Stands for a bar in code, in the area of Unicode where nothing has a meaning."""

MAX_NAMELESS = 20
"""A row of more cells is none of a table that somebody has written."""

_CODE = re.compile(r"(?<![`\\])`[^`\n]+`(?!`)")
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_FENCES = ("```", "~~~")


def with_whole_tables(text: str) -> str:
    """Return the text with names, though empty ones, above all cells of its tables."""
    if "|" not in text:
        return text
    lines = _CODE.sub(_marked, text).split("\n")
    is_fenced = False
    for at, line in enumerate(lines):
        if line.lstrip().startswith(_FENCES):
            is_fenced = not is_fenced
        elif not is_fenced and at and "|" in line and "-" in line and _RULE.fullmatch(line):
            _name_all(lines, at)
    return "\n".join(lines)


def _marked(code: re.Match[str]) -> str:
    return _BAR.sub(BAR_IN_CODE, code[0])


def _name_all(lines: list[str], rule: int) -> None:
    """Widen the header above the rule, and the rule, to the longest row below."""
    names = len(_cells(lines[rule - 1]))
    if names != len(_cells(lines[rule])):
        return
    longest = names
    for line in lines[rule + 1 :]:
        if not line.strip():
            break
        longest = max(longest, _used(_cells(line)))
    if names < longest <= names + MAX_NAMELESS:
        for at, cell in ((rule - 1, " |"), (rule, "-|")):
            line = lines[at].rstrip()
            lines[at] = line + "|" * (not line.endswith("|")) + cell * (longest - names)


def _cells(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    cells = _BAR.split(line)
    return cells if cells[-1].strip() or len(cells) == 1 else cells[:-1]


def _used(cells: Sequence[str]) -> int:
    return max((n for n, cell in enumerate(cells, start=1) if cell.strip()), default=0)
