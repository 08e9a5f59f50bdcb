"""Write what was chosen in the fields of a Word form, where only the fields themselves tell it.

Those are check boxes and lists; what was typed stands in the text already. ECMA-376 part 1, 17.16.
"""

from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.word.elements import R, T, W

CHECKED, UNCHECKED = "☒", "☐"


def write_out_forms(body: Element) -> None:
    """Put what each field shows into the run that the field begins in."""
    for field in list(body.iter(f"{W}checkBox", f"{W}ddList")):
        run = next(field.iterancestors(R), None)
        if run is not None:
            is_box = field.tag == f"{W}checkBox"
            etree.SubElement(run, T).text = _sign(field) if is_box else _chosen(field)


def _sign(box: Element) -> str:
    state = _value(box, "checked", "1") or _value(box, "default", "1") or "0"
    return UNCHECKED if state in ("0", "false", "off") else CHECKED


def _chosen(choices: Element) -> str:
    entries = [entry.get(f"{W}val", "") for entry in choices.iterfind(f"{W}listEntry")]
    at = _value(choices, "result", "") or _value(choices, "default", "") or "0"
    is_there = at.isdecimal() and len(at) < 4 and int(at) < len(entries)
    return entries[int(at)] if is_there else ""


def _value(field: Element, name: str, unsaid: str) -> str:
    """Return the value of a child; one that says none has `unsaid`."""
    child = field.find(f"{W}{name}")
    return "" if child is None else child.get(f"{W}val", unsaid)
