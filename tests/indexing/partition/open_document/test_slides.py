import time
from pathlib import Path

import pytest

from indexing.partition.open_document.document import open_odp
from tests.indexing.partition.open_documents import write

PRESENTATION = 'xmlns:p="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'


def at(place: str, text: str) -> str:
    return f"<draw:frame {place}><text:p>{text}</text:p></draw:frame>"


UPPER, LOWER = 'svg:x="1cm" svg:y="2cm"', 'svg:x="1cm" svg:y="9cm"'


@pytest.mark.parametrize(
    ("shapes", "texts"),
    [
        pytest.param(
            at(LOWER, "c") + at('svg:x="9cm" svg:y="1.9cm"', "b") + at(UPPER, "a"),
            ["a", "b", "c"],
            id="rows",
        ),
        pytest.param(
            at(UPPER, "b") + at(LOWER + ' p:class="title"', "a"), ["a", "b"], id="title first"
        ),
        pytest.param(
            f"<draw:g>{at(LOWER, 'c')}{at(UPPER, 'a')}</draw:g>"
            + at('svg:x="1cm" svg:y="5cm"', "b"),
            ["a", "b", "c"],
            id="group",
        ),
        pytest.param(
            at('draw:transform="rotate (1.57) translate (1cm 9cm)"', "b") + at(UPPER, "a"),
            ["a", "b"],
            id="turned",
        ),
        pytest.param(
            at(UPPER + ' svg:width="9cm" svg:height="3cm"', "b")
            + at('svg:x="0.1cm" svg:y="3cm" svg:width="0.5cm" svg:height="1cm"', "a"),
            ["a", "b"],
            id="label",
        ),
        pytest.param(
            at('svg:x="9cm" svg:y="3cm"', "ייצור") + at('svg:x="1cm" svg:y="3cm"', "מכירות"),
            ["ייצור", "מכירות"],
            id="from the right",
        ),
        pytest.param(at(LOWER, "b") + at("", "c") + at(UPPER, "a"), ["a", "b", "c"], id="no place"),
    ],
)
def test_shapes_are_read_as_they_stand_on_the_slide(
    shapes: str, texts: list[str], tmp_path: Path
) -> None:
    slide = f"<draw:page {PRESENTATION}>{shapes}<p:notes>{at(UPPER, 'note')}</p:notes></draw:page>"
    write(tmp_path / "deck.odp", slide, kind="presentation")

    (page,) = open_odp(tmp_path / "deck.odp").pages

    assert [block.text for block in page.blocks] == [*texts, "note"]


def test_a_place_that_is_told_without_end_is_given_up_at_once(tmp_path: Path) -> None:
    places = f'draw:transform="{"translate(" * 20_000}"'
    write(
        tmp_path / "deck.odp", f"<draw:page>{at(places, 'lamps')}</draw:page>", kind="presentation"
    )
    began = time.process_time()

    (page,) = open_odp(tmp_path / "deck.odp").pages

    assert time.process_time() - began < 5
    assert [block.text for block in page.blocks] == ["lamps"]


def test_a_raised_number_behind_a_number_is_a_power_on_slides_too(tmp_path: Path) -> None:
    style = (
        '<style:style style:name="T1" style:family="text">'
        '<style:text-properties style:text-position="super 58%"/></style:style>'
    )
    text = at(UPPER, '10<text:span text:style-name="T1">-9</text:span> mbar')
    slide = f"<draw:page>{style}{text}</draw:page>"
    write(tmp_path / "deck.odp", slide, kind="presentation")

    (page,) = open_odp(tmp_path / "deck.odp").pages

    assert [block.text for block in page.blocks] == ["10^-9 mbar"]


def test_a_text_names_the_number_of_its_slide(tmp_path: Path) -> None:
    number = "<text:page-number>&lt;number&gt;</text:page-number>"
    slide = f"<draw:page>{at(UPPER, f'Page {number} of 2')}{at(LOWER, number)}</draw:page>"
    write(tmp_path / "deck.odp", slide * 2, kind="presentation")

    pages = list(open_odp(tmp_path / "deck.odp").pages)

    assert [[one.text for one in page.blocks] for page in pages] == [
        ["Page 1 of 2"],
        ["Page 2 of 2"],
    ]
