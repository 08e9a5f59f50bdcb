import datetime
import time

import pytest

from indexing.partition.sheets.day_numbers import (
    FIRST_DAY_OF_MAC,
    Moment,
    MomentFormat,
    in_named_language,
    moment,
)


@pytest.mark.parametrize(
    ("value", "code", "shown"),
    [
        pytest.param(45415.5, "d/m/yy h:mm", datetime.datetime(2024, 5, 3, 12), id="moment"),
        pytest.param(0.25, "h:mm", datetime.time(6), id="time"),
        pytest.param(1.25, "[h]:mm", datetime.timedelta(hours=30), id="span of time"),
        pytest.param(7.0, '0 "days"', None, id="unit"),
        pytest.param(7.0, "#,##0.00\\ _D_M", None, id="room as wide as a unit"),
        pytest.param(-1.0, "yyyy", None, id="before all days"),
        pytest.param(float("nan"), "yyyy", None, id="no number"),
    ],
)
def test_numbers_of_days_are_told_by_their_format(
    value: float, code: str, shown: Moment | None
) -> None:
    assert moment(value, code) == shown


def test_days_may_be_counted_from_1904() -> None:
    assert moment(43953, "yyyy", FIRST_DAY_OF_MAC) == datetime.datetime(2024, 5, 3)


def test_a_format_shows_a_number_that_is_no_day_as_such() -> None:
    days = MomentFormat("[$-en-US]mmmm d, yyyy;@", FIRST_DAY_OF_MAC)

    assert days.moment_of(43953) == datetime.datetime(2024, 5, 3)
    assert days.moment_of(-1) == -1


@pytest.mark.parametrize(
    ("code", "is_named"),
    [
        pytest.param("[$-en-US]mmmm d, yyyy;@", True, id="language"),
        pytest.param("[$-x-sysdate]dddd, mmmm dd, yyyy", True, id="that of the system"),
        pytest.param("[$-409]d-mmm-yy;@", False, id="number of a language"),
        pytest.param("[$€-de-DE] 0.00", False, id="currency"),
        pytest.param("[$-de-DE]0.00", False, id="number"),
    ],
)
def test_dates_in_a_language_by_its_name_are_told_by_their_format(
    code: str, *, is_named: bool
) -> None:
    assert in_named_language(code) is is_named


def test_a_long_code_is_not_looked_at() -> None:
    began = time.process_time()

    assert not in_named_language("[$-" * 200_000 + "yyyy")
    assert moment(45415.5, "[" * 200_000 + "yyyy") is None

    # Each bracket would be looked for an end of in all that follows, which takes minutes.
    assert time.process_time() - began < 5
