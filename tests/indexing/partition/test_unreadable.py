import zipfile
import zlib

import pytest
import python_calamine
from lxml import etree

from indexing.partition.office.libreoffice import ConversionFailed
from indexing.partition.unreadable import (
    DAMAGED,
    GAVE_UP,
    NESTED,
    DocumentUnreadable,
    reason_of,
)


@pytest.mark.parametrize("kind", [DocumentUnreadable, ConversionFailed])
def test_what_we_found_wrong_is_told_as_it_is(kind: type[DocumentUnreadable]) -> None:
    assert reason_of(kind("it has no text")) == "it has no text"


@pytest.mark.parametrize("error", [KeyError("word/document.xml"), SystemExit(3)])
def test_what_a_library_says_is_not_told(error: BaseException) -> None:
    assert reason_of(error) == GAVE_UP


MULTIPLYING = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 20}">' for n in range(1, 12))


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        pytest.param("<lamp>", "the XML of the file is damaged", id="cut off"),
        pytest.param("", "the XML of the file is damaged", id="empty"),
        pytest.param("<a>" * 300 + "</a>" * 300, "nested too deeply", id="deep"),
        pytest.param(f"<a>{'x' * 11_000_000}</a>", "one text in the XML", id="long text"),
        pytest.param(f"<a b='{'x' * 11_000_000}'/>", "one text in the XML", id="long value"),
        pytest.param(
            f'<!DOCTYPE a [<!ENTITY a0 "{"lamp" * 20}">{MULTIPLYING}]><a>&a11;</a>',
            "texts that multiply (entities)",
            id="entities",
        ),
        pytest.param(
            '<!DOCTYPE a [<!ENTITY b "&c;"><!ENTITY c "&b;">]><a>&b;</a>',
            "texts that multiply (entities)",
            id="a ring of entities",
        ),
    ],
)
def test_what_is_wrong_with_xml_is_told(xml: str, reason: str) -> None:
    with pytest.raises(etree.XMLSyntaxError) as error:
        etree.fromstring(xml, etree.XMLParser(resolve_entities=False))

    assert reason in reason_of(error.value)


def test_what_is_nested_too_deeply_is_told() -> None:
    assert reason_of(RecursionError()) == NESTED


@pytest.mark.parametrize("kind", [zipfile.BadZipFile, zlib.error, python_calamine.CalamineError])
def test_what_is_raised_of_damage_is_told_as_damage(kind: type[Exception]) -> None:
    assert reason_of(kind("Cannot detect file format")) == DAMAGED


def test_a_panic_over_a_file_is_told_as_damage() -> None:
    class PanicException(BaseException):  # So a library in Rust calls it.
        pass

    assert reason_of(PanicException("range start index 116 out of range")) == DAMAGED
