from extraction.built_in.mentions import Mention
from extraction.built_in.signs import NAMES, read_signs
from extraction.built_in.wanted import read_field
from extraction.types import FieldType, RequestedField
from tests.extraction.built_in.pages import passages


def test_a_label_that_means_the_same_speaks_for_a_value() -> None:
    assert _signs("invoice date", "Rechnungsdatum: 7.5.2014", "7.5.2014")["meaning"] == 1


def test_a_label_that_means_something_else_speaks_against_it() -> None:
    due = _signs("date", "Due date: 7.5.2014", "7.5.2014")
    plain = _signs("date", "Date: 7.5.2014", "7.5.2014")

    assert due["foreign"] > plain["foreign"] == 0


def test_a_special_name_is_unmet_where_nothing_is_said_of_it() -> None:
    assert _signs("due date", "7.5.2014", "7.5.2014")["unmet"] == 1
    assert _signs("date", "7.5.2014", "7.5.2014")["unmet"] == 0
    assert _signs("deposit", "The deposit is 12.00", "12.00")["unmet"] == 0


def test_the_head_of_a_column_speaks_for_or_against() -> None:
    row = "Item | Net | Tax\nPaper | 18.00 | 3.42"

    assert _signs("tax", row, "3.42")["column"] == 1
    assert _signs("tax", row, "18.00")["column"] == -1


def test_a_role_is_defined_behind_a_name() -> None:
    assert _signs("tenant", 'Acme Inc. (the "Tenant") pays', "Acme Inc.")["defined"] == 1


def test_what_comes_later_is_less_early() -> None:
    (passage,) = passages("7.5.2014")
    wanted = read_field(RequestedField("date", "", FieldType.DATE))
    mention = Mention(passage, 0, 8, "2014-05-07")

    assert read_signs(wanted, mention, 0)["early"] > read_signs(wanted, mention, 9)["early"]


def test_every_sign_has_a_name() -> None:
    assert _signs("date", "7.5.2014", "7.5.2014").keys() <= set(NAMES)


def _signs(name: str, text: str, value: str) -> dict[str, float]:
    passage = next(one for one in reversed(passages(text)) if value in one.text)
    start = passage.text.index(value)
    wanted = read_field(RequestedField(name, "", FieldType.TEXT))
    return read_signs(wanted, Mention(passage, start, start + len(value), value), 0)
