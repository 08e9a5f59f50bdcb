import pytest

from indexing.partition.office.package_xml import parse
from indexing.partition.word.elements import is_on, new_paragraph, new_run, text_of
from tests.indexing.partition.docx_xml import NAMESPACES


@pytest.mark.parametrize(
    ("attribute", "on"),
    [("", True), ('w:val="1"', True), ('w:val="0"', False), ('w:val="false"', False)],
)
def test_a_toggle_is_on_unless_it_says_otherwise(attribute: str, on: bool) -> None:
    assert is_on(parse(f"<w:b {NAMESPACES} {attribute}/>".encode())) is on


def test_a_toggle_that_is_not_there_is_off() -> None:
    assert not is_on(None)


def test_a_paragraph_says_what_was_put_into_it() -> None:
    cell = parse(f"<w:tc {NAMESPACES}/>".encode())
    cell.extend([new_paragraph(new_run("one ")), new_paragraph(new_run("two"))])

    assert text_of(cell) == "one  two"
