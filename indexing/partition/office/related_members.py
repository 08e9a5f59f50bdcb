"""Follow the relations between the parts of an Office package (ECMA-376 part 2, relationships)."""

import posixpath
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping

from lxml import etree

from indexing.partition.office.package_xml import Element, parse

_LIST = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationships"
_RELATIONSHIP = _LIST.removesuffix("s")
NO_RELATIONS = (
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'
)
_OF_DOCUMENTS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"

_ONE_OF_A_KIND = frozenset(
    (
        *("comments", "core-properties", "numbering", "settings", "styles"),
        *("notesMaster", "notesSlide"),
    )
)
"""Kinds of which a part has one, within the package; the libraries fail where it names more."""


def related_members(
    parts: Mapping[str, bytes], part: str, kinds: tuple[str, ...] = ()
) -> dict[str, str]:
    """Return what a part refers to within the package, by its ids; of some kinds only if named."""
    return {
        one.get("Id", ""): member
        for one, member, kind in _relations(parts, part)
        if not kinds or kind in kinds
    }


def related_kinds(parts: Mapping[str, bytes], part: str) -> dict[str, str]:
    """Return what a part refers to within the package, and the kind of each relation."""
    return {member: kind for _, member, kind in _relations(parts, part)}


def _relations(parts: Mapping[str, bytes], part: str) -> Iterator[tuple[Element, str, str]]:
    """Yield each relation of a part within the package, what it refers to and its kind."""
    content = parts.get(relations_of(part))
    if content is None:
        return
    folder = part.rpartition("/")[0]
    for one in parse(content).iter(_RELATIONSHIP):
        if one.get("TargetMode") != "External":
            yield one, _member(folder, one.get("Target", "")), _kind(one)


def _kind(relation: Element) -> str:
    return str(relation.get("Type", "")).rpartition("/")[2]


def related_in(package: zipfile.ZipFile, part: str, *kinds: str) -> dict[str, str]:
    """Return the same, of a package of which only the relations are to be read."""
    name = relations_of(part)
    parts = {name: package.read(name)} if name in package.NameToInfo else {}
    return related_members(parts, part, kinds)


def leave_out_dangling(parts: dict[str, bytes], is_needed: Callable[[str, str], bool]) -> set[str]:
    """Leave out the relations to parts that are needed and missing; return the names of these.

    Whether one is needed is asked by its name and the kind of its relation.

    And those that a damaged list has not whole, or that are one too many of their kind. What is no
    list of relations becomes an empty one, and is named too.
    """
    missing: set[str] = set()
    for name in [one for one in parts if one.endswith(".rels")]:
        relations = parse(parts[name])
        if relations.tag != _LIST:
            missing.add(name)
            parts[name] = NO_RELATIONS
            continue
        folder = posixpath.dirname(posixpath.dirname(name))
        torn = [
            one
            for one in relations.iter(_RELATIONSHIP)
            if not all(one.get(attribute) for attribute in ("Id", "Type", "Target"))
        ]
        surplus = _surplus(one for one in relations.iter(_RELATIONSHIP) if one not in torn)
        for one in [*torn, *surplus]:
            one.getparent().remove(one)
        dangling = {
            one: member
            for one in relations.iter(_RELATIONSHIP)
            if one.get("TargetMode") != "External"
            and (member := _member(folder, one.get("Target", ""))) not in parts
            and is_needed(member, _kind(one))
        }
        for one in dangling:
            one.getparent().remove(one)
        if dangling or torn or surplus:
            parts[name] = etree.tostring(relations, encoding="UTF-8", xml_declaration=True)
        missing.update(dangling.values())
    return missing


def relate(parts: dict[str, bytes], part: str, members: Iterable[str], kind: str) -> list[str]:
    """Let a part refer to members that it does not name any more; return the ids of these."""
    name = relations_of(part)
    relations = parse(parts.get(name, NO_RELATIONS))
    ids = []
    for number, member in enumerate(members):
        ids.append(f"found{kind}{number}")
        told = {"Id": ids[-1], "Type": _OF_DOCUMENTS + kind, "Target": f"/{member}"}
        etree.SubElement(relations, _RELATIONSHIP, told)
    parts[name] = etree.tostring(relations, encoding="UTF-8", xml_declaration=True)
    return ids


def _surplus(relations: Iterable[Element]) -> list[Element]:
    """Return the relations of which a part may have only another one, or one within the package."""
    seen: set[str] = set()
    surplus = []
    for one in relations:
        kind = _kind(one)
        if kind in _ONE_OF_A_KIND:
            if kind in seen or one.get("TargetMode") == "External":
                surplus.append(one)
            else:
                seen.add(kind)
    return surplus


def relations_of(part: str) -> str:
    """Return the name of the part with the relations of another."""
    folder, _, name = part.rpartition("/")
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _member(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join("/", folder, target)).removeprefix("/")
