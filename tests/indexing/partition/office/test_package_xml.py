from pathlib import Path

import pytest
from lxml import etree

from indexing.partition.office.package_xml import is_well_formed, parse


def test_an_entity_that_names_a_file_is_left_alone(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    part = f'<!DOCTYPE a [<!ENTITY file SYSTEM "{secret.as_uri()}">]><a>before &file; after</a>'

    root = parse(part.encode())

    assert "secret" not in "".join(root.itertext("a"))
    assert root.text == "before "


def test_an_entity_of_entities_is_not_written_out() -> None:
    laughs = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><a>&c;</a>'

    assert parse(laughs.encode()).text is None


def test_what_is_strict_has_the_usual_names() -> None:
    root = parse(b'<w:p xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"/>')

    usual = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    assert etree.QName(root).namespace == usual


def test_what_is_no_xml_is_said_to_be_none() -> None:
    with pytest.raises(etree.XMLSyntaxError):
        parse(b"<a>")


def test_texts_that_a_program_put_in_as_they_are_are_read() -> None:
    part = b"<a>Tom & Jerry</a>"

    assert parse(part).text == "Tom & Jerry"
    assert not is_well_formed(part)
