"""Write raised digits behind a number with a sign: 10 to the sixth is not 106."""

import re
from collections.abc import Callable, Iterable
from itertools import groupby

from indexing.partition.office.package_xml import Element

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_IN_A_LINE = [f"{_A}{name}" for name in ("r", "br", "fld")]

RAISED = re.compile(r"[-+\u2212\u2013]?\d")
"""How a number begins, with or without a sign."""


def sign_powers(runs: Iterable[Element], text: str, is_raised: Callable[[Element], bool]) -> None:
    """Set a sign before what is raised behind a number, in runs of one line.

    What a run says stands in its children of the tag `text`. Lowered digits are no others.
    """
    before = ""
    for raised, pieces in groupby(runs, key=is_raised):
        alike = list(pieces)
        texts = [one for run in alike for one in run.iterchildren(text) if one.text]
        said = "".join(one.text or "" for one in texts)
        if raised and before[-1:].isdigit() and RAISED.match(said):
            texts[0].text = f"^{texts[0].text}"
        last = [one.text or "" for one in alike[-1][-1:] if one.tag == text]
        before = last[0] if last else ""


def sign_drawn_powers(drawn: Element) -> None:
    """Set the sign where it belongs in the texts of slides, diagrams and shapes (DrawingML)."""
    raised = [one for one in drawn.iter(f"{_A}rPr") if _is_above_line(one)]
    for line in {one.getparent().getparent(): None for one in raised}:
        sign_powers(line.iterchildren(_IN_A_LINE), f"{_A}t", _is_raised)


def _is_raised(run: Element) -> bool:
    properties = run.find(f"{_A}rPr")
    return properties is not None and _is_above_line(properties)


def _is_above_line(properties: Element) -> bool:
    return re.match("[1-9]", properties.get("baseline", "")) is not None
