import io
import zipfile

import pytest

from indexing.partition.office.damaged_parts import NO_TYPES, mend_parts, part_bytes, with_types
from indexing.partition.office.main_part import PARTS
from indexing.partition.office.related_members import related_kinds

RELATIONS = (
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    b'<Relationship Id="a" Type="x/header" Target="header1.xml"/>'
    b'<Relationship Id="b" Type="x/image" Target="media/1.png"/></Relationships>'
)
NAME = "word/_rels/document.xml.rels"
NUMBERS = b" ".join(b"%d" % (number**3 % 9973) for number in range(4000))

MAIN = ("word/document.xml", "main")


def test_what_is_whole_stays_as_it_is() -> None:
    whole = {"word/document.xml": b"<w/>", "word/header1.xml": b"<h>one</h>", NAME: RELATIONS}
    parts = dict(whole)

    assert mend_parts(parts, "word/document.xml") == ""
    assert parts == whole


def test_of_a_damaged_part_stays_what_can_be_told() -> None:
    parts = {"word/document.xml": b"<w/>", "word/header1.xml": b"<h><p>one</p><p>two"}

    warning = mend_parts(parts, "word/document.xml")

    assert b"<h><p>one</p><p>two</p></h>" in parts["word/header1.xml"]
    assert "(1 in all, " in warning
    assert "'word/header1.xml'" in warning


def test_nothing_refers_to_a_part_that_is_missing_or_no_xml() -> None:
    parts = {"word/document.xml": b"<w/>", "word/header1.xml": b"\x00\x01", NAME: RELATIONS}

    warning = mend_parts(parts, "word/document.xml")

    assert b"header1.xml" not in parts[NAME]
    assert b"media/1.png" in parts[NAME]
    assert "'word/header1.xml'" in warning


def test_nothing_refers_to_a_missing_part_that_is_parsed_whatever_it_is_named() -> None:
    relations = RELATIONS.replace(b"header1.xml", b"../../etc/passwd")
    parts = {"word/document.xml": b"<w/>", NAME: relations}

    warning = mend_parts(parts, "word/document.xml")

    assert b"passwd" not in parts[NAME]
    assert "(1 in all, " in warning


def test_a_damaged_part_without_text_is_not_worth_a_word() -> None:
    parts = {"word/document.xml": b"<w/>", "docProps/core.xml": b""}

    assert mend_parts(parts, "word/document.xml") == ""
    assert "docProps/core.xml" not in parts


@pytest.mark.parametrize("relations", [{}, {"_rels/.rels": b"<styles/>"}])
def test_the_package_names_its_main_part(relations: dict[str, bytes]) -> None:
    parts = {"word/document.xml": b"<w/>", PARTS: NO_TYPES, **relations}

    assert mend_parts(parts, "word/document.xml") == ""
    assert related_kinds(parts, "") == {"word/document.xml": "officeDocument"}


def test_each_part_is_of_some_type() -> None:
    types = (
        b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        b'<Default Extension="PNG" ContentType="image/png"/>'
        b'<Override PartName="/word/x.html" ContentType="text/html"/></Types>'
    )

    assert with_types(types, {"word/1.png": "image", "word/x.html": "aFChunk"}, MAIN) == types
    images = dict.fromkeys(("word/1.png", "word/2.emf", "etc/passwd"), "image")
    found = with_types(types, images, MAIN)
    assert found.count(b"application/octet-stream") == 2
    assert b'PartName="/word/2.emf"' in found
    assert b'PartName="/etc/passwd"' in found


def test_what_a_list_of_types_does_not_say_is_told_by_relations() -> None:
    related = {"word/document.xml": "officeDocument", "word/header1.xml": "header"}

    found = with_types(b"<x/>", related, MAIN)

    assert b'PartName="/word/document.xml" ContentType="main"' in found
    assert b'PartName="/word/header1.xml"' in found
    assert b"wordprocessingml.header+xml" in found


def test_of_a_member_with_a_wrong_checksum_all_is_told() -> None:
    spoilt: set[str] = set()

    with zipfile.ZipFile(io.BytesIO(with_flipped("CRC", "one"))) as package:
        assert part_bytes(package, "one", spoilt) == NUMBERS
        assert part_bytes(package, "two", spoilt) == b"storm lantern"

    assert spoilt == {"one"}


def test_of_a_member_that_is_damaged_its_beginning_is_told() -> None:
    spoilt: set[str] = set()

    with zipfile.ZipFile(io.BytesIO(with_flipped("end", "one"))) as package:
        told = part_bytes(package, "one", spoilt)

    assert told[:1000] == NUMBERS[:1000]
    assert told != NUMBERS
    assert spoilt == {"one"}


def test_the_main_part_is_mended_only_where_it_was_spoilt_on_its_way() -> None:
    parts = {"word/document.xml": b"<w><p>one"}

    assert mend_parts(parts, "word/document.xml") == ""
    assert parts == {"word/document.xml": b"<w><p>one"}
    assert "'word/document.xml'" in mend_parts(parts, "word/document.xml", {"word/document.xml"})
    assert parts["word/document.xml"].endswith(b"<w><p>one</p></w>")


def test_a_tag_that_was_cut_within_its_name_is_no_part_of_what_can_be_told() -> None:
    parts = {"word/document.xml": b"<w/>", "word/header1.xml": b'<h xmlns:p="x"><p:a/><p:'}

    mend_parts(parts, "word/document.xml")

    assert "word/header1.xml" not in parts


def with_flipped(what: str, name: str) -> bytes:
    """Return a package in which the checksum of a member, or its end, is another."""
    package = io.BytesIO()
    with zipfile.ZipFile(package, "w", zipfile.ZIP_DEFLATED) as writer:
        writer.writestr("one", NUMBERS)
        writer.writestr("two", b"storm lantern")
        member = writer.getinfo(name)
    content = bytearray(package.getvalue())
    if what == "CRC":
        at = content.rindex(member.CRC.to_bytes(4, "little"))
    else:
        at = member.header_offset + 30 + len(name) + member.compress_size // 2
    content[at] ^= 0xFF
    return bytes(content)


def test_what_xml_does_not_allow_is_put_right_in_the_main_part_too() -> None:
    parts = {"word/document.xml": b"<w>one\x0b& two</w>", "word/header1.xml": b"<h>3 < 4</h>"}

    assert mend_parts(parts, "word/document.xml") == ""
    assert parts["word/document.xml"] == b"<w>one &amp; two</w>"
    assert parts["word/header1.xml"] == b"<h>3 &lt; 4</h>"


def test_a_damaged_list_of_what_a_part_refers_to_is_named() -> None:
    parts = {"word/document.xml": b"<w/>", NAME: RELATIONS[:-30]}

    assert f"{NAME!r}" in mend_parts(parts, "word/document.xml")
