import pytest

from indexing.partition.mail.icalendar import MAX_EVENTS, Event, read_events

MEETING = r"""BEGIN:VCALENDAR
METHOD:REQUEST
BEGIN:VTIMEZONE
TZID:W. Europe Standard Time
BEGIN:STANDARD
DTSTART:16010101T030000
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
ORGANIZER;CN=Jane:mailto:jane@example.com
ATTENDEE;ROLE=REQ-PARTICIPANT;CN="Falk; Jürgen":MAILTO:falk@example.com
ATTENDEE:mailto:ann@example.com
DESCRIPTION;LANGUAGE=en-US:Bring the list\, please\nAll of i
 t\\n
SUMMARY:Lanterns\; the third
  delivery
DTSTART;TZID=W. Europe Standard Time:20240305T100000
DTEND;TZID="W. Europe Standard Time":20240305T113015
LOCATION:Gate 3
RRULE:FREQ=WEEKLY;BYDAY=TU
BEGIN:VALARM
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
END:VCALENDAR
"""


def test_dates_of_a_series_that_are_left_out_or_added_are_told() -> None:
    (event,) = read_events(
        "BEGIN:VEVENT\nRRULE:FREQ=WEEKLY\nEXDATE;TZID=Prague:20240312T140000,20240319T140000\n"
        "EXDATE;VALUE=DATE:20240402\nRDATE:20240401T090000Z,\nEND:VEVENT"
    )

    assert event.lines.split("\n")[1:] == [
        "Also on: 2024-04-01 09:00 UTC,",
        "Not on: 2024-03-12 14:00 Prague, 2024-03-19 14:00 Prague; 2024-04-02",
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_appointment_is_read_as_a_person_would(line_end: str) -> None:
    (event,) = read_events(MEETING.replace("\n", line_end))

    assert event.summary == "Lanterns; the third delivery"
    assert event.lines.split("\n") == [
        "Start: 2024-03-05 10:00 W. Europe Standard Time",
        "End: 2024-03-05 11:30:15 W. Europe Standard Time",
        "Repeats: FREQ=WEEKLY;BYDAY=TU",
        "Location: Gate 3",
        "Organizer: Jane <jane@example.com>",
        "Attendees: Falk; Jürgen <falk@example.com>; ann@example.com",
    ]
    assert event.description == "Bring the list, please\nAll of it\\n"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        pytest.param("DTSTART:20240305T090000Z", "Start: 2024-03-05 09:00 UTC", id="UTC"),
        pytest.param("DTSTART:20240305T0900", "Start: 2024-03-05 09:00", id="of no zone"),
        pytest.param("DTSTART;VALUE=DATE:20240305", "Start: 2024-03-05", id="day"),
        pytest.param("DTEND;VALUE=DATE:20240301", "End: 2024-02-29", id="last day"),
        pytest.param("DTEND:00010101", "End: 00010101", id="before all days"),
        pytest.param("DTSTART:99999999", "Start: 99999999", id="no day"),
        pytest.param("DTSTART:soon", "Start: soon", id="no time"),
        pytest.param("DURATION:PT1H", "Duration: PT1H", id="duration"),
        pytest.param('LOCATION;X=":;":Gate', "Location: Gate", id="quoted parameter"),
        pytest.param("location:Gate", "Location: Gate", id="small letters"),
        pytest.param('LOCATION;X=":Gate', "", id="quotation mark left open"),
        pytest.param("LOCATION", "", id="no value"),
        pytest.param(":Gate", "", id="no name"),
    ],
)
def test_a_line_of_an_appointment_is_read(line: str, shown: str) -> None:
    (event,) = read_events(f"BEGIN:VEVENT\n{line}\nEND:VEVENT")

    assert event == Event("", shown, "")


def test_a_task_is_read() -> None:
    (task,) = read_events("BEGIN:VTODO\nSUMMARY:Order oil\nDUE;VALUE=DATE:20240305\nEND:VTODO")

    assert task == Event("Order oil", "Due: 2024-03-05", "")


@pytest.mark.parametrize("text", ["", "x", "END:VEVENT", "BEGIN:VEVENT\nSUMMARY:cut off"])
def test_what_is_no_whole_event_is_left_out(text: str) -> None:
    assert list(read_events(text)) == []


def test_of_events_without_end_the_first_are_read() -> None:
    events = read_events("BEGIN:VEVENT\nEND:VEVENT\n" * (MAX_EVENTS + 1))

    assert sum(1 for _ in events) == MAX_EVENTS
