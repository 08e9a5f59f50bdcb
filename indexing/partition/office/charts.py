"""Read the numbers of a chart in an Office document, of whatever shape it is.

ECMA-376 part 1, 21.2.
"""

import datetime
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from indexing.partition.office.newer_charts import usual_chart
from indexing.partition.office.package_xml import Element
from indexing.partition.sheets.format_codes import date_letters
from indexing.partition.sheets.number_formats import parse_number_format, shown

FIRST_DAY = datetime.date(1899, 12, 30)
"""From which Excel counts the days, to the end of the year 9999."""

LAST_DAY = 2_958_466

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_C15 = "{http://schemas.microsoft.com/office/drawing/2012/chart}"

Points = dict[int, str]
"""Texts by their places in a series."""


@dataclass(frozen=True, slots=True)
class ChartTable:
    """A row for each category, and a column for each series."""

    header: list[str]
    rows: list[list[str]]


@dataclass(frozen=True, slots=True)
class Series:
    """What a chart draws under one name, mostly in one colour."""

    name: str
    labels: Points  # its categories, or where its points stand from left to right
    values: Points
    sizes: Points  # of bubbles

    def columns(self) -> Iterator[tuple[str, Points]]:
        """Yield the columns that it has in a table, each with its name."""
        yield self.name, self.values
        if self.sizes:
            yield f"{self.name} (size)".strip(), self.sizes


def chart_titles(chart: Element) -> Iterator[str]:
    """Yield the title, and what the axis of the values says: the unit, mostly."""
    chart = usual_chart(chart)
    titles = [chart.find(f"{_C}chart/{_C}title")]
    titles += chart.iterfind(f"{_C}chart/{_C}plotArea/{_C}valAx/{_C}title")
    for title in titles:
        if title is not None and (words := _words(title)):
            yield words


def chart_tables(chart: Element) -> Iterator[ChartTable]:
    """Yield a table of the series that have the same categories, mostly all."""
    chart = usual_chart(chart)
    axis = chart.find(f"{_C}chart/{_C}plotArea/{_C}catAx/{_C}title")
    series = [
        Series(_name(one), _labels(one), _values(one), _points(one, f"{_C}bubbleSize"))
        for one in chart.iter(f"{_C}ser")
    ]
    return tables_of_series(series, "" if axis is None else _words(axis))


def tables_of_series(series: Iterable[Series], axis: str = "") -> Iterator[ChartTable]:
    """Yield a table of those that have the same labels, which are called by their axis."""
    groups: list[tuple[Points, list[Series]]] = []
    for one in series:
        if groups and (not one.labels or one.labels == groups[-1][0]):
            groups[-1][1].append(one)
        else:
            groups.append((one.labels, [one]))
    for labels, alike in groups:
        columns = [column for one in alike for column in one.columns()]
        rows = [
            [labels.get(place, ""), *(values.get(place, "") for _, values in columns)]
            for place in sorted(set().union(*(one.values for one in alike)))
        ]
        if any(any(values) for _, *values in rows):
            yield ChartTable([axis, *(name for name, _ in columns)], rows)


def _name(series: Element) -> str:
    return " ".join(one.text or "" for one in series.iterfind(f"{_C}tx//{_C}v"))


def _labels(series: Element) -> Points:
    """Return the categories; of two levels, as months within years, both."""
    found: Points = {}
    for source in series.iterfind(f"{_C}cat/*"), series.iterfind(f"{_C}xVal/*"):
        for one in source:
            levels = list(one.iter(f"{_C}lvl"))
            found = found or (_joined(levels) if levels else _points(one))
    return found


def _joined(levels: list[Element]) -> Points:
    """Write each name of the finest level, which comes first, behind those that it belongs to."""
    names = [_points(level) for level in levels]
    joined: Points = {}
    above = [""] * len(names)
    for place in sorted(set().union(*names)):
        above = [level.get(place, last) for level, last in zip(names, above, strict=True)]
        joined[place] = " ".join(filter(None, reversed(above)))
    return joined


def _values(series: Element) -> Points:
    """Return the values; behind those at which a label says more than the value, that."""
    values = _points(series, f"{_C}val") or _points(series, f"{_C}yVal")
    for place, remark in _remarks(series).items():
        if place in values and remark != values[place]:
            values[place] = f"{values[place]} ({remark})"
    return values


def _remarks(series: Element) -> Points:
    """Return what somebody wrote into labels, else what they take from cells, as names of points.

    A field in a label stands for what is read elsewhere: its value, its category, its cell.
    """
    remarks: Points = {}
    for cells in series.iter(f"{_C15}dlblRangeCache"):
        remarks |= {place: text for place, text in _points(cells).items() if text}
    for label in series.iterfind(f"{_C}dLbls/{_C}dLbl"):
        place = label.find(f"{_C}idx")
        lines = label.iterfind(f"{_C}tx/{_C}rich/{_A}p")
        words = " ".join(" ".join(map(_typed, lines)).split())
        number = "" if place is None else place.get("val", "")
        if any(map(str.isalnum, words)) and number.isdecimal() and len(number) < 10:
            remarks[int(number)] = words
    return remarks


def _typed(paragraph: Element) -> str:
    return "".join(piece.text or "" for piece in paragraph.iterfind(f"{_A}r/{_A}t"))


def _points(element: Element, path: str = ".") -> Points:
    """Return the values that were last drawn, as they are shown."""
    found: Points = {}
    for holder in element.iterfind(path):
        code = next((one.text or "" for one in holder.iter(f"{_C}formatCode")), "")
        for point in holder.iter(f"{_C}pt"):
            place = point.get("idx", "")
            if place.isdecimal() and len(place) < 10:
                value = point.findtext(f"{_C}v") or ""
                found.setdefault(int(place), shown_point(value, point.get("formatCode", code)))
    return found


def shown_point(value: str, code: str) -> str:
    """Write a number as its format code shows it, and without what binary fractions add to it."""
    try:
        number = float(value)
    except ValueError:
        return value.strip()
    if 0 < number < LAST_DAY and date_letters(code) & {"d", "y"}:
        return (FIRST_DAY + datetime.timedelta(days=int(number))).isoformat()
    return shown(number, parse_number_format(code)) if math.isfinite(number) else value


def _words(element: Element) -> str:
    """Return what stands in an element, or in the cell it takes its words from."""
    pieces = element.iter(f"{_A}t", f"{_C}v")
    return " ".join("".join(piece.text or "" for piece in pieces).split())
