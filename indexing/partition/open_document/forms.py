"""Write what is typed or chosen in the fields of an OpenDocument form where the fields stand."""

from collections.abc import Callable, Iterable

from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.names import DRAW, FORM, TEXT, XML_ID
from indexing.partition.word.forms import CHECKED, UNCHECKED

_FIELD = "{urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0}"


def write_out_forms(content: Element) -> None:
    """Make a text of each control: within its line if it stands there as a letter, else a frame."""
    shows = {
        name: _SHOWN[field.tag](field)
        for field in content.iter(*_SHOWN)
        for name in (field.get(XML_ID), field.get(f"{FORM}id"))
        if name
    }
    for mark in list(content.iter(f"{_FIELD}fieldmark", f"{_FIELD}fieldmark-start")):
        _write_out_mark(mark)
    for control in content.iter(f"{DRAW}control"):
        # What is told of it for those who do not see it.
        control[:] = []
        if shown := shows.get(control.get(f"{DRAW}control", "")):
            in_line = control.get(f"{TEXT}anchor-type") == "as-char"
            control.tag = f"{TEXT}span" if in_line else f"{DRAW}frame"
            lines = control if in_line else etree.SubElement(control, f"{TEXT}p")
            first, *others = shown.splitlines()
            lines.text = first
            for line in others:
                etree.SubElement(lines, f"{TEXT}line-break").tail = line


def _write_out_mark(mark: Element) -> None:
    """Write what a field of a Word form shows; what was typed into one stands behind it."""
    kind = mark.get(f"{_FIELD}type", "").rpartition(".")[2]
    if kind not in ("FORMCHECKBOX", "FORMDROPDOWN"):
        return
    values: dict[str, list[str]] = {}
    for one in mark.iterchildren(f"{_FIELD}param"):
        name = one.get(f"{_FIELD}name", "").lower()
        values.setdefault(name, []).append(one.get(f"{_FIELD}value", ""))
    if kind == "FORMCHECKBOX":
        text = CHECKED if values.get("checkbox_checked") == ["true"] else UNCHECKED
    else:
        entries = values.get("dropdown_listentry", [])
        at = values.get("dropdown_selected", ["0"])[0]
        is_there = at.isdecimal() and len(at) < 4 and int(at) < len(entries)
        text = entries[int(at)] if is_there else ""
    mark[:] = []
    mark.tag, mark.text = f"{TEXT}span", text


def _typed(field: Element) -> str:
    value: str | None = _first(field, "current-value", "value")
    if value is None:
        value = "\n".join("".join(p.itertext()) for p in field.iter(f"{TEXT}p"))
    return value.strip()


def _chosen(choices: Element) -> str:
    options = list(choices.iter(f"{FORM}option"))
    # What is chosen at first counts until somebody chooses.
    for when in ("current-selected", "selected"):
        chosen = [one for one in options if one.get(f"{FORM}{when}") == "true"]
        if chosen:
            return ", ".join(one.get(f"{FORM}label", "") for one in chosen)
    return ""


def _ticked(box: Element) -> str:
    state = _first(box, "current-state", "state", "current-selected", "selected")
    sign = CHECKED if state in ("checked", "true") else UNCHECKED
    return f"{sign} {_label(box)}".strip()


def _label(field: Element) -> str:
    return str(field.get(f"{FORM}label", ""))


def _first(field: Element, *names: str) -> str | None:
    values = (field.get(f"{FORM}{name}") for name in names)
    return next((value for value in values if value is not None), None)


def _shown(
    kinds: Iterable[tuple[Callable[[Element], str], str]],
) -> dict[str, Callable[[Element], str]]:
    return {f"{FORM}{name}": shown for shown, names in kinds for name in names.split()}


# Not of passwords, nor of what is hidden.
_SHOWN = _shown(
    [
        (_typed, "text textarea combobox formatted-text number date time"),
        (_chosen, "listbox"),
        (_ticked, "checkbox radio"),
        (_label, "fixed-text button frame"),
    ]
)
