from indexing.partition.office.damaged_parts import mend_parts, with_types

RELATIONS = (
    b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    b'<Relationship Id="a" Type="x/header" Target="header1.xml"/>'
    b'<Relationship Id="b" Type="x/image" Target="media/1.png"/></Relationships>'
)
NAME = "word/_rels/document.xml.rels"


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


def test_a_damaged_part_without_text_is_not_worth_a_word() -> None:
    parts = {"word/document.xml": b"<w/>", "docProps/core.xml": b""}

    assert mend_parts(parts, "word/document.xml") == ""
    assert "docProps/core.xml" not in parts


def test_each_part_is_of_some_type() -> None:
    types = (
        b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        b'<Default Extension="PNG" ContentType="image/png"/>'
        b'<Override PartName="/word/x.html" ContentType="text/html"/></Types>'
    )

    assert with_types(types, ["word/1.png", "word/x.html"]) == types
    found = with_types(types, ["word/1.png", "word/2.emf", "etc/passwd"])
    assert found.count(b"application/octet-stream") == 2
    assert b'PartName="/word/2.emf"' in found
    assert b'PartName="/etc/passwd"' in found
