from indexing.partition.related_members import related_members


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
