import zipfile
from pathlib import Path

from indexing.partition.office.related_members import (
    NO_RELATIONS,
    leave_out_dangling,
    relate,
    related_in,
    related_kinds,
    related_members,
)


def test_references_are_followed_within_the_package_only() -> None:
    relationships = """<Relationships
        xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        <Relationship Id="a" Type="x/image" Target="media/1.png"/>
        <Relationship Id="b" Type="x/image" Target="/word/media/2.png"/>
        <Relationship Id="c" Type="x/header" Target="../word/header1.xml"/>
        <Relationship Id="d" Type="x/image" Target="file:///3.png" TargetMode="External"/>
        </Relationships>"""
    parts = {"word/_rels/document.xml.rels": relationships.encode()}

    assert related_members(parts, "word/document.xml") == {
        "a": "word/media/1.png",
        "b": "word/media/2.png",
        "c": "word/header1.xml",
    }
    assert related_members(parts, "word/document.xml", ("header",)) == {"c": "word/header1.xml"}
    assert related_members(parts, "word/header1.xml") == {}


def test_relations_are_read_from_a_package(tmp_path: Path) -> None:
    relationships = """<Relationships
        xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        <Relationship Id="a" Type="x/drawing" Target="../drawings/1.xml"/>
        <Relationship Id="b" Type="x/table" Target="../tables/1.xml"/>
        </Relationships>"""
    with zipfile.ZipFile(tmp_path / "package", "w") as package:
        package.writestr("xl/worksheets/_rels/sheet1.xml.rels", relationships)

        found = related_in(package, "xl/worksheets/sheet1.xml", "drawing")

        assert found == {"a": "xl/drawings/1.xml"}
        assert related_in(package, "xl/worksheets/sheet2.xml") == {}


def test_relations_to_parts_that_are_missing_are_left_out() -> None:
    relationships = """<Relationships
        xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        <Relationship Id="a" Type="x/styles" Target="styles.xml"/>
        <Relationship Id="b" Type="x/header" Target="header1.xml"/>
        <Relationship Id="c" Type="x/frame" Target="none.xml" TargetMode="External"/>
        </Relationships>"""
    name = "word/_rels/document.xml.rels"
    parts = {name: relationships.encode(), "word/styles.xml": b"<styles/>"}

    missing = leave_out_dangling(parts, lambda member, kind: member.endswith(".xml"))

    assert missing == {"word/header1.xml"}
    assert related_members(parts, "word/document.xml") == {"a": "word/styles.xml"}
    assert b'"c"' in parts[name]


def test_a_relation_that_was_cut_is_left_out() -> None:
    relations = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="a" Type="x/styles" Target="styles.xml"/>'
        b'<Relationship Id="b" Type="x/header"/></Relationships>'
    )
    parts = {"word/_rels/document.xml.rels": relations, "word/styles.xml": b"<styles/>"}

    assert leave_out_dangling(parts, lambda member, kind: True) == set()
    assert related_members(parts, "word/document.xml") == {"a": "word/styles.xml"}
    assert b'"b"' not in parts["word/_rels/document.xml.rels"]


def test_what_is_one_of_a_kind_is_named_once_and_within_the_package() -> None:
    relationships = """<Relationships
        xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
        <Relationship Id="a" Type="x/settings" Target="http://x/far.xml" TargetMode="External"/>
        <Relationship Id="b" Type="x/settings" Target="settings.xml"/>
        <Relationship Id="c" Type="x/settings" Target="settings2.xml"/>
        <Relationship Id="d" Type="x/header" Target="header1.xml"/>
        <Relationship Id="e" Type="x/header" Target="header2.xml"/>
        </Relationships>"""
    parts = {"word/_rels/document.xml.rels": relationships.encode()}

    assert leave_out_dangling(parts, lambda member, kind: False) == set()

    assert related_members(parts, "word/document.xml").keys() == {"b", "d", "e"}
    assert b"far.xml" not in parts["word/_rels/document.xml.rels"]


def test_what_is_no_list_of_relations_becomes_an_empty_one() -> None:
    parts = {"word/_rels/document.xml.rels": b"<styles/>", "_rels/.rels": NO_RELATIONS}

    assert leave_out_dangling(parts, lambda member, kind: True) == {"word/_rels/document.xml.rels"}
    assert parts["word/_rels/document.xml.rels"] == NO_RELATIONS


def test_members_are_named_anew() -> None:
    parts: dict[str, bytes] = {}

    ids = relate(parts, "xl/workbook.xml", ["xl/a.xml", "xl/b.xml"], "worksheet")

    found = related_members(parts, "xl/workbook.xml")
    assert found == dict(zip(ids, ["xl/a.xml", "xl/b.xml"], strict=True))
    assert set(related_kinds(parts, "xl/workbook.xml").values()) == {"worksheet"}
