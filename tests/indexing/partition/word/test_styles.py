from lxml import etree

from indexing.partition.word.elements import W
from indexing.partition.word.styles import (
    MANY_STYLES,
    MAX_BASES,
    styles_by_id,
    with_bases,
    without_unused,
)

NAMES = "xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'"


def styles_of(*pairs: tuple[str, str]) -> etree._Element:
    styles = "".join(
        f"<w:style w:styleId='{name}'><w:basedOn w:val='{base}'/></w:style>" for name, base in pairs
    )
    return etree.fromstring(f"<w:styles {NAMES}>{styles}</w:styles>")


def names(name: str, styles: etree._Element) -> list[str]:
    return [one.get(f"{W}styleId", "") for one in with_bases(name, styles_by_id(styles))]


def test_a_style_comes_before_those_that_it_is_based_on() -> None:
    styles = styles_of(("Plain", ""), ("Title", "Heading"), ("Heading", "Plain"))

    assert names("Title", styles) == ["Title", "Heading", "Plain"]


def test_a_base_that_is_missing_is_none() -> None:
    assert names("Title", styles_of(("Title", "Heading"))) == ["Title"]


def test_styles_that_are_based_on_each_other_come_to_an_end() -> None:
    assert len(names("One", styles_of(("One", "Other"), ("Other", "One")))) == MAX_BASES


def test_a_document_without_styles_has_none() -> None:
    assert styles_by_id(None) == {}


def test_of_very_many_styles_those_that_are_used_stay_with_their_bases() -> None:
    crowd = [(f"s{number}", "") for number in range(MANY_STYLES)]
    styles = styles_of(("Big &amp; red", "Heading"), ("Heading", "Plain"), ("Plain", ""), *crowd)
    text = f"<w:p {NAMES}><w:pPr><w:pStyle w:val='Big &amp; red'/></w:pPr></w:p>".encode()

    left = without_unused(etree.tostring(styles), [text, b"<a/>"])

    assert list(styles_by_id(etree.fromstring(left))) == ["Big & red", "Heading", "Plain"]


def test_styles_that_are_no_crowd_stay() -> None:
    styles = etree.tostring(styles_of(("Title", "Heading"), ("Heading", "")))

    assert without_unused(styles, []) == styles
