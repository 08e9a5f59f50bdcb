import time

import pytest
from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.cells import sign_raised, value_of
from tests.indexing.partition.open_documents import NAMES


def cell(attributes: str, shown: str = "") -> Element:
    return etree.fromstring(
        f"<table:table-cell {NAMES} {attributes}><text:p>{shown}</text:p></table:table-cell>"
    )


@pytest.mark.parametrize(
    ("attributes", "shown", "value"),
    [
        ('office:value-type="float" office:value="1234.5"', "1,234.50", "1234.5"),
        ('office:value-type="percentage" office:value="0.125"', "12.5 %", "12.5%"),
        ('office:value-type="currency" office:value="5" office:currency="EUR"', "5 €", "5 EUR"),
        ('office:value-type="date" office:date-value="2024-03-31"', "31.3.24", "2024-03-31"),
        ('office:value-type="boolean" office:boolean-value="true"', "WAHR", "TRUE"),
        ('office:value-type="string"', "Lamp<text:s/>oil", "Lamp oil"),
    ],
)
def test_a_value_is_written_as_a_person_would(attributes: str, shown: str, value: str) -> None:
    assert value_of(cell(attributes, shown)) == value


def test_a_number_of_very_many_figures_is_told_from_a_text_at_once() -> None:
    began = time.process_time()

    shown = value_of(cell(f'office:value-type="float" office:value="{"1" * 50_000}x"', "many"))

    assert time.process_time() - began < 5
    assert shown == "many"


def test_a_text_that_is_not_shown_comes_as_its_value() -> None:
    assert value_of(cell('office:value-type="string" office:string-value="Lamp oil"')) == "Lamp oil"


def test_headings_and_lists_in_a_cell_are_read() -> None:
    items = "<text:list><text:list-item><text:p>in stock</text:p></text:list-item></text:list>"
    written = f"<table:table-cell {NAMES}><text:h>Lamps</text:h>{items}</table:table-cell>"

    assert value_of(etree.fromstring(written)) == "Lamps in stock"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('10<text:span text:style-name="T1">-9</text:span> mbar', "10^-9 mbar"),
        ('<text:span>10</text:span><text:span text:style-name="T1">6</text:span>', "10^6"),
        ('10 m<text:span text:style-name="T1">2</text:span>', "10 m2"),
        ('1<text:span text:style-name="T2">2</text:span>', "12"),
    ],
)
def test_a_raised_number_behind_a_number_is_a_power_in_cells(text: str, shown: str) -> None:
    written = cell('office:value-type="string"', text)

    sign_raised(written, {"T1"})

    assert value_of(written) == shown
