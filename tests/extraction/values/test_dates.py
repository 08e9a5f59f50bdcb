import datetime

import pytest
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from extraction.types import FieldType, Habit
from extraction.values.dates import orders, spelled_orders
from tests.extraction.values.fields import NO_HABIT, found, normalised

DAY = "2024-03-05"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        pytest.param("2024-03-05", DAY, id="iso"),
        pytest.param("20240305", DAY, id="compact"),
        pytest.param("2024.03.05", DAY, id="dots, year first"),
        pytest.param("2024/3/5", DAY, id="slashes, year first"),
        pytest.param("25/12/2018", "2018-12-25", id="day first"),
        pytest.param("12/25/2018", "2018-12-25", id="month first"),
        pytest.param("19/10/ 2018", "2018-10-19", id="a space too many"),
        pytest.param("19-10-18", "2018-10-19", id="short year"),
        pytest.param("19-10-98", "1998-10-19", id="short year of the last century"),
        pytest.param("5. März 2024", DAY, id="german"),
        pytest.param("5 mars 2024", DAY, id="french"),
        pytest.param("1er mars 2024", "2024-03-01", id="french first"),
        pytest.param("5 de marzo de 2024", DAY, id="spanish"),
        pytest.param("5 maart 2024", DAY, id="dutch"),
        pytest.param("2024. március 5.", DAY, id="hungarian"),
        pytest.param("5 tháng 3 năm 2024", DAY, id="vietnamese"),
        pytest.param("2024年3月5日", DAY, id="japanese"),
        pytest.param("2024년 3월 5일", DAY, id="korean"),
        pytest.param("March 5, 2024", DAY, id="english"),
        pytest.param("March 5th, 2024", DAY, id="ordinal"),
        pytest.param("March\u00a05, 2024", DAY, id="narrow space"),
        pytest.param("MARCH 5 , 2024", DAY, id="capitals"),
        pytest.param("Mar. 5, 2024", DAY, id="abbreviated"),
        pytest.param("Mar 5, '24", DAY, id="apostrophe"),
        pytest.param("5th day of March, 2024", DAY, id="agreement"),
        pytest.param("fifth day of March, 2024", DAY, id="agreement in words"),
        pytest.param("05-MAR-24", DAY, id="hyphens"),
        pytest.param("5MAR2024", DAY, id="joined"),
        pytest.param("5 Mar 24", DAY, id="short year, name"),
        pytest.param("March 2024", "2024-03", id="month"),
        pytest.param("marzo de 2024", "2024-03", id="spanish month"),
        pytest.param("2024-03", "2024-03", id="iso month"),
        pytest.param("03/2024", "2024-03", id="month in digits"),
        pytest.param("2024年3月", "2024-03", id="japanese month"),
    ],
)
def test_date_is_found(written: str, expected: str) -> None:
    assert found(FieldType.DATE, f"as of {written}; and so on") == [(written, expected)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("31/02/2018", id="no such day"),
        pytest.param("February 30, 2024", id="no such day, name"),
        pytest.param("2024-13-01", id="no such month"),
        pytest.param("Q1 2024", id="quarter"),
        pytest.param("1.2.3.2018", id="version"),
        pytest.param("192.168.10.2018", id="address"),
        pytest.param("2024 copies, 5 of 2018", id="numbers"),
        pytest.param("07-350-7405", id="telephone"),
        pytest.param("March 5", id="no year"),
        pytest.param("Invoice 5, 2024", id="no month"),
    ],
)
def test_no_date_is_found(text: str) -> None:
    assert found(FieldType.DATE, text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("19/10/2018 14:33", [("19/10/2018", "2018-10-19")], id="time"),
        pytest.param("30/03/201814:33", [("30/03/2018", "2018-03-30")], id="time joined to it"),
        pytest.param("20180428/191204", [("20180428", "2018-04-28")], id="time behind a slash"),
        pytest.param("2018-12-25T10:00Z", [("2018-12-25", "2018-12-25")], id="iso time"),
        pytest.param("5 copies 12 March 2024", [("12 March 2024", "2024-03-12")], id="a number"),
        pytest.param(
            "01.05.14-31.05.14",
            [("01.05.14", "2014-05-01"), ("31.05.14", "2014-05-31")],
            id="range",
        ),
        pytest.param("1 19/10/2018 5.00", [("19/10/2018", "2018-10-19")], id="columns"),
        pytest.param("May 10-15, 2024 and June 1 2024", [("June 1 2024", "2024-06-01")], id="days"),
        pytest.param("MAR-05-24", [("MAR-05-24", "2024-03-05")], id="month first, hyphens"),
        pytest.param("founded in 1998", [("1998", "1998")], id="year that is said to be one"),
        pytest.param(
            "1 May 2024 - June 2024",
            [("1 May 2024", "2024-05-01"), ("June 2024", "2024-06")],
            id="two",
        ),
    ],
)
def test_dates_are_found_among_other_things(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(FieldType.DATE, text) == expected


@pytest.mark.parametrize(
    ("habit", "expected"),
    [
        pytest.param(Habit(day_first=True), "2024-06-05", id="day first"),
        pytest.param(Habit(day_first=False), "2024-05-06", id="month first"),
        pytest.param(NO_HABIT, "2024-06-05", id="no habit"),
    ],
)
def test_habit_decides_what_is_ambiguous(habit: Habit, expected: str) -> None:
    assert found(FieldType.DATE, "05/06/2024", habit) == [("05/06/2024", expected)]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("2024-03-05", DAY, id="iso"),
        pytest.param("2024-03-05T00:00:00Z", DAY, id="iso time"),
        pytest.param(datetime.date(2024, 3, 5), DAY, id="date"),
        pytest.param(datetime.datetime(2024, 3, 5, 10, 0), DAY, id="datetime"),
        pytest.param("2024-03", "2024-03", id="month"),
        pytest.param("2024", "2024", id="year"),
        pytest.param(2024, "2024", id="year as a number"),
        pytest.param("dated March 5, 2024", DAY, id="words around it"),
        pytest.param("2024-03-05 to 2024-04-05", None, id="two"),
        pytest.param("2024-02-30", None, id="no such day"),
        pytest.param("2024-03-00", None, id="no day"),
        pytest.param("soon", None, id="no date"),
        pytest.param(True, None, id="bool"),
        pytest.param(20.5, None, id="float"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_date_is_normalised(raw: object, expected: str | None) -> None:
    assert normalised(FieldType.DATE, raw) == expected


@given(
    st.dates(datetime.date(1900, 1, 1), datetime.date(2199, 12, 31)),
    st.sampled_from(
        ["en", "en_GB", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "nb", "fi"]
    )
    | st.sampled_from(
        ["cs", "hu", "ro", "tr", "el", "ru", "bg", "id", "vi", "ja", "ko", "zh", "ca"]
    ),
    st.sampled_from(("long", "medium")),
)
def test_date_of_any_language_is_found(day: datetime.date, locale: str, width: str) -> None:
    text = f"x: {format_date(day, width, locale=locale)};"

    assert [value for _, value in found(FieldType.DATE, text, Habit(day_first=True))] == [
        day.isoformat()
    ]


@given(st.text("0123456789/-. TMarchmay年月日", max_size=30))
def test_every_date_is_in_the_calendar(text: str) -> None:
    for _, value in found(FieldType.DATE, text):
        assert isinstance(value, str)
        assert datetime.date.fromisoformat((value + "-01-01")[:10] if len(value) < 10 else value)


def test_dates_with_a_day_above_twelve_show_their_order() -> None:
    assert list(orders("25/12/2018, 12/25/2018, 05/06/2018, 31/31/2018")) == [True, False]


def test_dates_with_names_show_an_order_too() -> None:
    assert list(spelled_orders("5 May 2024, May 5, 2024, May 2024")) == [True, False]
