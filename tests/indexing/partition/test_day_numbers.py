import datetime

import pytest

from indexing.partition.day_numbers import FIRST_DAY_OF_MAC, Moment, moment


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
