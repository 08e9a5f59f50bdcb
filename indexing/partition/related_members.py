"""Follow the relations between the parts of an Office package (ECMA-376 part 2, relationships)."""

import posixpath
from collections.abc import Mapping

from indexing.partition.docx_body import parse

_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


def related_members(
    parts: Mapping[str, bytes], part: str, kinds: tuple[str, ...] = ()
) -> dict[str, str]:
    """Return what a part refers to within the package, by its ids; of some kinds only if named."""
    folder, _, name = part.rpartition("/")
    content = parts.get(posixpath.join(folder, "_rels", f"{name}.rels"))
    if content is None:
        return {}
    return {
        one.get("Id", ""): _member(folder, one.get("Target", ""))
        for one in parse(content).iter(_RELATIONSHIP)
        if one.get("TargetMode") != "External"
        and (not kinds or one.get("Type", "").rpartition("/")[2] in kinds)
    }


def _member(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join("/", folder, target)).removeprefix("/")
