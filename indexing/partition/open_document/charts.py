"""Read the numbers of a chart in OpenDocument, which stand in a table of its own.

What is drawn of them, and in which format, is said beside it (OpenDocument 1.3 part 3, 11).
"""

import re
from collections.abc import Iterable, Iterator

from lxml import etree

from indexing.partition.office.charts import (
    ChartTable,
    Points,
    Series,
    shown_point,
    tables_of_series,
)
from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.formats import DAY, format_codes
from indexing.partition.open_document.names import CELL, CHART, OFFICE, ROW, STYLE, TABLE, P
from indexing.partition.sheets.number_formats import parse_number_format
from indexing.partition.text import clean_line

# Not of the standard; LibreOffice writes it.
_AXIS_TYPE = "{http://openoffice.org/2010/chart}axis-type"
_REPEATED = [f"{TABLE}number-{name}-repeated" for name in ("columns", "rows")]
_RANGE = re.compile(
    r"local-table\.\$?([A-Z]{1,3})\$?(\d{1,6})(?::(?:local-table)?\.?\$?([A-Z]{1,3})\$?(\d{1,6}))?"
)


class _Unstated(Exception):
    """A chart does not say, in a way that is known here, which cells it draws."""


def chart_content(drawn: Element) -> Iterator[Element]:
    """Yield the tables that say what a chart draws, or the sheet that is set in."""
    table = drawn.find(f".//{TABLE}table")
    if table is None:
        return
    try:
        tables = list(tables_of_series(_Chart(drawn, table).series()))
    except _Unstated:
        tables = []
    yield from map(_written, tables)
    if not tables:
        _empty_missing(table)
        yield table


class _Chart:
    """What the parts of a chart say of each other."""

    def __init__(self, drawn: Element, table: Element) -> None:
        self._drawn = drawn
        self._rows = [list(row.iterchildren(CELL)) for row in table.iter(ROW)]
        self._codes = format_codes(drawn)
        self._styles = {one.get(f"{STYLE}name", ""): one for one in drawn.iter(f"{STYLE}style")}
        self._axes = list(drawn.iter(f"{CHART}axis"))
        repeated = (cell.get(name) for cell in table.iter(CELL, ROW) for name in _REPEATED)
        if any(repeated):  # Such cells are fewer than their addresses say.
            raise _Unstated

    def series(self) -> list[Series]:
        """Return what is drawn."""
        categories = [self._range_of(one) for one in self._drawn.iter(f"{CHART}categories")]
        found: list[Series] = []
        domains: list[str] = []
        for one in self._drawn.iter(f"{CHART}series"):
            own = [self._range_of(domain) for domain in one.iterchildren(f"{CHART}domain")]
            # What the first says of where its points stand is not said again.
            domains = [*own, *domains[len(own) :]]
            found.append(self._series(one, domains, categories))
        return found

    def _series(self, series: Element, domains: list[str], categories: list[str]) -> Series:
        values = series.get(f"{CHART}values-cell-range-address", "")
        name = series.get(f"{CHART}label-cell-address", "")
        sizes: Points = {}
        kind = self._kind(series)
        if kind == "bubble" and domains:
            # The first says how high they stand, the second how far to the right.
            sizes = self._points(values, self._code(series))
            values, categories = domains[0], domains[1:]
        elif kind == "scatter" and domains:
            categories = domains
        labels = self._points(categories[0], self._code_of_labels()) if categories else {}
        points = self._points(values, self._code_of_values(series))
        return Series(" ".join(self._points(name).values()) if name else "", labels, points, sizes)

    def _kind(self, series: Element) -> str:
        chart = next(series.iterancestors(f"{CHART}chart"), series)
        stated = series.get(f"{CHART}class") or chart.get(f"{CHART}class", "")
        return str(stated).rpartition(":")[2]

    def _range_of(self, source: Element) -> str:
        return str(source.get(f"{TABLE}cell-range-address", ""))

    def _points(self, address: str, code: str = "") -> Points:
        stated = _RANGE.fullmatch(address)
        if stated is None:
            raise _Unstated
        left, top = _number(stated[1]), int(stated[2])
        right, bottom = _number(stated[3] or stated[1]), int(stated[4] or stated[2])
        rows = self._rows[max(top - 1, 0) : bottom]
        cells = (cell for row in rows for cell in row[left - 1 : right])
        return {place: _text(cell, code) for place, cell in enumerate(cells)}

    def _code_of_labels(self) -> str:
        axis = next((one for one in self._axes if one.get(f"{CHART}dimension") == "x"), None)
        return "" if axis is None else self._code(axis)

    def _code_of_values(self, series: Element) -> str:
        """Return the format of the series, or else that of its axis, which may have one alone."""
        code = self._code(series)
        areas = self._drawn.iter(f"{CHART}plot-area")
        # An axis of parts of a hundred is not that of the values.
        if parse_number_format(code) or any(
            self._states(one, "percentage", "true") for one in areas
        ):
            return code
        name = series.get(f"{CHART}attached-axis", "primary-y")
        axis = next((one for one in self._axes if one.get(f"{CHART}name") == name), None)
        return code if axis is None else self._code(axis)

    def _code(self, part: Element) -> str:
        code = self._codes.get(self._style(part).get(f"{STYLE}data-style-name", ""), "")
        if code != DAY or part.get(_AXIS_TYPE) == "date":
            return code
        # Axes name a format of dates even where they show categories as they are.
        return code if self._states(part, "link-data-style-to-source", "false") else ""

    def _states(self, part: Element, name: str, value: str) -> bool:
        properties = self._style(part).iterchildren(f"{STYLE}chart-properties")
        return any(one.get(f"{CHART}{name}") == value for one in properties)

    def _style(self, part: Element) -> Element:
        return self._styles.get(part.get(f"{CHART}style-name", ""), part)


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _text(cell: Element, code: str) -> str:
    if cell.get(f"{OFFICE}value-type") == "float":
        value = cell.get(f"{OFFICE}value", "")
        return "" if value == "NaN" else shown_point(value, code)
    # Levels of a category stand as a list behind the whole of it.
    pieces = [clean_line("".join(one.itertext())) for one in cell.iterchildren(P)]
    return " ".join(filter(None, pieces)) or clean_line(" ".join(cell.itertext()))


def _written(table: ChartTable) -> Element:
    written = etree.Element(f"{TABLE}table")
    names = etree.SubElement(written, f"{TABLE}table-header-rows")
    _write(names, table.header)
    for row in table.rows:
        _write(written, row)
    return written


def _write(parent: Element, texts: Iterable[str]) -> None:
    row = etree.SubElement(parent, ROW)
    for text in texts:
        etree.SubElement(etree.SubElement(row, CELL), P).text = text


def _empty_missing(table: Element) -> None:
    """Empty the cells of a chart that has no value there, which are written as no number."""
    for cell in table.iter(CELL):
        if cell.get(f"{OFFICE}value") == "NaN":
            cell[:] = []
