"""Tell what the fields of a form on a web page show."""

from collections.abc import Mapping

from indexing.partition.word.forms import CHECKED, UNCHECKED

# Fields in which nobody types what can be read.
_UNTYPED = {"button", "color", "file", "hidden", "image", "password", "range", "reset", "submit"}


def shown_in(field: Mapping[str, str]) -> str:
    """Return what a field of these attributes shows, "" for one that shows no text."""
    kind = (field.get("type") or "text").lower()
    if kind in _UNTYPED or "hidden" in field:
        return ""
    if kind in ("checkbox", "radio"):
        return CHECKED if "checked" in field else UNCHECKED
    return field.get("value") or ""
