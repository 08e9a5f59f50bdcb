import pytest

from extraction.types import FieldType, Option
from tests.extraction.values.fields import found, normalised

LAWS = ("New York", "Delaware", "Québec")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("of NEW\nYORK", [("NEW\nYORK", "New York")], id="case and line"),
        pytest.param("in Quebec.", [("Quebec", "Québec")], id="accent"),
        pytest.param("New Yorkers", [], id="no whole word"),
        pytest.param(
            "Delaware or New-York",
            [("Delaware", "Delaware"), ("New-York", "New York")],
            id="left to right",
        ),
    ],
)
def test_options_are_found(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(FieldType.SINGLE_SELECT, text, options=LAWS) == expected


def test_longest_option_is_found() -> None:
    assert found(FieldType.SINGLE_SELECT, "in C++", options=("C", "C++")) == [("C++", "C++")]


def test_numbers_and_truth_are_found() -> None:
    assert found(FieldType.MULTI_SELECT, "two, yes, 30.00", options=(2, 30, True, False)) == [
        ("two", 2),
        ("yes", True),
        ("30.00", 30),
    ]


@pytest.mark.parametrize(
    ("raw", "options", "expected"),
    [
        pytest.param("new_york", LAWS, "New York", id="case and gap"),
        pytest.param(" Quebec", LAWS, "Québec", id="accent"),
        pytest.param("Texas", LAWS, None, id="no option"),
        pytest.param("York", LAWS, None, id="part of an option"),
        pytest.param(None, LAWS, None, id="nothing"),
        pytest.param(["New York"], LAWS, None, id="list"),
        pytest.param("5", (5, 6), 5, id="number in a text"),
        pytest.param(5.0, (5, 6), 5, id="whole number"),
        pytest.param(5, ("5", "6"), "5", id="text of a number"),
        pytest.param(1, (True, 2), None, id="1 is not true"),
        pytest.param(True, (1, 2), None, id="true is not 1"),
        pytest.param("yes", (True, False), True, id="yes"),
        pytest.param(False, ("Yes", "No"), "No", id="false"),
        pytest.param("a", ("A", "a"), "a", id="exactly this one"),
        pytest.param("á", ("A", "a"), None, id="one of two"),
        pytest.param("A", ("A", "A"), "A", id="given twice"),
        pytest.param("", LAWS, None, id="empty"),
    ],
)
def test_option_is_normalised(
    raw: object, options: tuple[Option, ...], expected: Option | None
) -> None:
    value = normalised(FieldType.SINGLE_SELECT, raw, options=options)

    assert (value, type(value)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(["québec", "new york", "Quebec"], ["New York", "Québec"], id="order, once"),
        pytest.param(["Texas", "delaware"], ["Delaware"], id="what is no option is left out"),
        pytest.param("Delaware; New York", ["New York", "Delaware"], id="one text"),
        pytest.param("Delaware", ["Delaware"], id="one"),
        pytest.param([], None, id="empty"),
        pytest.param(["Texas"], None, id="none left"),
        pytest.param([None, {"a": 1}, ["Delaware"]], None, id="no values"),
        pytest.param(None, None, id="nothing"),
        pytest.param({"a": 1}, None, id="object"),
    ],
)
def test_options_are_normalised(raw: object, expected: list[str] | None) -> None:
    assert normalised(FieldType.MULTI_SELECT, raw, options=LAWS) == expected


def test_true_and_1_are_two_options() -> None:
    chosen = normalised(FieldType.MULTI_SELECT, [True, 1, 2.5], options=(1, True, 2.5, 1))

    assert repr(chosen) == "[1, True, 2.5]"
