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
# Without the blanks around it, so that none of its parts may take what another can.
_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)*(?:\s*:?-+:?)?")
_FENCES = ("```", "~~~")


def with_whole_tables(text: str) -> str:
    """Return the text with names, though empty ones, above all cells of its tables."""
    if "|" not in text:
        return text
    lines = _CODE.sub(_marked, text).split("\n")
    is_fenced = False
    behind = 1  # the last table; a rule above it has no names
    for at, line in enumerate(lines):
        if line.lstrip().startswith(_FENCES):
            is_fenced = not is_fenced
        elif not is_fenced and at >= behind and _is_rule(line):
            behind = _name_all(lines, at)
    return "\n".join(lines)


def _marked(code: re.Match[str]) -> str:
    return _BAR.sub(BAR_IN_CODE, code[0])


def _is_rule(line: str) -> bool:
    return "|" in line and "-" in line and _RULE.fullmatch(line.strip()) is not None


def _name_all(lines: list[str], rule: int) -> int:
    """Widen the header above the rule, and the rule, to the longest row; return what is below."""
    names = longest = len(_cells(lines[rule - 1]))
    behind = rule + 1
    if names != len(_cells(lines[rule])):
        return behind
    while behind < len(lines) and _is_row(lines[behind]):
        longest = max(longest, _used(_cells(lines[behind])))
        behind += 1
    if names < longest <= names + MAX_NAMELESS:
        for at, cell in ((rule - 1, " |"), (rule, "-|")):
            line = lines[at].rstrip()
            lines[at] = line + "|" * (not line.endswith("|")) + cell * (longest - names)
    return behind


def _is_row(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(_FENCES)


def _cells(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    cells = _BAR.split(line)
    return cells if cells[-1].strip() or len(cells) == 1 else cells[:-1]


def _used(cells: Sequence[str]) -> int:
    return max((n for n, cell in enumerate(cells, start=1) if cell.strip()), default=0)
