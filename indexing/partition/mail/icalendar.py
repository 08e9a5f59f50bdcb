"""Read the appointments and tasks of a calendar as programs send them (iCalendar, RFC 5545)."""

import datetime
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from indexing.partition.text import clean_line, clean_text

CALENDAR = "text/calendar"
CALENDARS = (CALENDAR, "application/ics")

LABELS = {
    "DTSTART": "Start",
    "DTEND": "End",
    "DUE": "Due",
    "DURATION": "Duration",
    "RRULE": "Repeats",
    "RDATE": "Also on",
    "EXDATE": "Not on",
    "LOCATION": "Location",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendees",
    "STATUS": "Status",
}
"""Properties that are a line each, in this order."""

_COMPONENTS = ("VEVENT", "VTODO")
# A file of a whole life has fewer.
MAX_EVENTS = 20_000

_FOLD = re.compile(r"\r?\n[ \t]")
_NAME = re.compile(r"[A-Za-z0-9-]+")
# A value in quotation marks may hold whatever ends another.
_PARAMETER = re.compile(r';([A-Za-z0-9-]+)=((?>(?:"[^"]*+"|[^";:])*))')
_ESCAPE = re.compile(r"\\([\\;,nN])")
_TIME = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z?))?")
_MAILTO = re.compile(r"mailto:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Event:
    """An appointment or a task."""

    summary: str
    lines: str  # when, where and who
    description: str


def read_events(calendar: str) -> Iterator[Event]:
    """Yield the events of a calendar in their order, not what reminds of them."""
    open_components: list[str] = []
    found = 0
    event = _Properties()
    for line in _FOLD.sub("", calendar).splitlines():
        name, parameters, value = _split(line)
        if name == "BEGIN":
            open_components.append(value.strip().upper())
            if open_components[-1] in _COMPONENTS:
                event = _Properties()
        elif name == "END" and open_components:
            if open_components.pop() in _COMPONENTS:
                found += 1
                yield event.as_event()
            if found == MAX_EVENTS:
                return
        elif open_components and open_components[-1] in _COMPONENTS:
            event.add(name, parameters, value)


@dataclass(slots=True)
class _Properties:
    """What an event says of itself, as a person reads it."""

    values: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, name: str, parameters: dict[str, str], value: str) -> None:
        if name in ("DTSTART", "DTEND", "DUE"):
            shown = _time(value.strip(), parameters.get("TZID", ""), is_end=name == "DTEND")
        elif name in ("RDATE", "EXDATE"):
            zone = parameters.get("TZID", "")
            shown = ", ".join(_time(one.strip(), zone, is_end=False) for one in value.split(","))
        elif name in ("ORGANIZER", "ATTENDEE"):
            shown = _person(value.strip(), parameters.get("CN", ""))
        else:
            shown = _ESCAPE.sub(lambda one: "\n" if one[1] in "nN" else one[1], value)
        self.values[name].append(shown)

    def as_event(self) -> Event:
        lines = []
        for name, label in LABELS.items():
            shown = "; ".join(filter(None, map(clean_line, self.values[name])))
            lines += [f"{label}: {shown}"] if shown else []
        summary = clean_line(" ".join(self.values["SUMMARY"]))
        description = clean_text("\n".join(self.values["DESCRIPTION"])).strip()
        return Event(summary, "\n".join(lines), description)


def _split(line: str) -> tuple[str, dict[str, str], str]:
    """Return the name of a property, its parameters, and its value."""
    name = _NAME.match(line)
    at = name.end() if name else 0
    parameters = {}
    while parameter := _PARAMETER.match(line, at):
        parameters[parameter[1].upper()] = parameter[2].strip('"')
        at = parameter.end()
    if not name or line[at : at + 1] != ":":
        return "", {}, ""
    return name[0].upper(), parameters, line[at + 1 :]


def _time(value: str, zone: str, *, is_end: bool) -> str:
    """Return the time in the zone that is stated; a value that is none comes as it stands."""
    parts = _TIME.fullmatch(value)
    if parts is None:
        return value
    if parts[4] is None:
        return _day(parts, is_end=is_end)
    seconds = f":{parts[6]}" if parts[6] not in (None, "00") else ""
    shown = f"{parts[1]}-{parts[2]}-{parts[3]} {parts[4]}:{parts[5]}{seconds}"
    zone = "UTC" if parts[7] else zone
    return f"{shown} {zone}".rstrip()


def _day(parts: re.Match[str], *, is_end: bool) -> str:
    try:
        day = datetime.date(*map(int, parts.groups()[:3]))
        # The day that is stated as the end is the first one after.
        return str(day - datetime.timedelta(days=is_end))
    except (ValueError, OverflowError):
        return parts[0]


def _person(value: str, name: str) -> str:
    address = _MAILTO.sub("", value, count=1)
    return f"{name} <{address}>" if name and name != address else address
