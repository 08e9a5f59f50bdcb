from collections.abc import Iterable

import pytest

from indexing.partition.office.package_xml import parse
from indexing.partition.open_document.charts import chart_content

NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in [
        *((name, name) for name in ("office", "text", "table", "style", "chart")),
        ("number", "datastyle"),
    ]
)
NAMES += ' xmlns:chartooo="http://openoffice.org/2010/chart"'
FORMATS = (
    '<number:percentage-style style:name="share"><number:number/><number:text>%</number:text>'
    '</number:percentage-style><number:date-style style:name="day"/>'
)
CATEGORIES = '<chart:categories table:cell-range-address="local-table.$A$2:.$A$3"/>'
AXIS_OF_DAYS = 'chart:style-name="s-day" chartooo:axis-type="date"'


def styled(name: str, linked: str = "true", kind: str = "") -> str:
    return (
        f'<style:style style:name="s-{name}" style:data-style-name="{name}">'
        f'<style:chart-properties chart:link-data-style-to-source="{linked}" {kind}/>'
        "</style:style>"
    )


def axis(dimension: str, attributes: str = "", content: str = "") -> str:
    return (
        f'<chart:axis chart:dimension="{dimension}" chart:name="primary-{dimension}" {attributes}>'
        f"{content}</chart:axis>"
    )


def series(column: str, content: str = "", attributes: str = "") -> str:
    return (
        f'<chart:series chart:values-cell-range-address="local-table.${column}$2:.${column}$3" '
        f'chart:label-cell-address="local-table.${column}$1" {attributes}>{content}</chart:series>'
    )


def domain(column: str) -> str:
    return f'<chart:domain table:cell-range-address="local-table.${column}$2:.${column}$3"/>'


def row(*cells: str | float) -> str:
    return f"<table:table-row>{''.join(map(cell, cells))}</table:table-row>"


def cell(content: str | float) -> str:
    if isinstance(content, str):
        inner = content if content.startswith("<") else f"<text:p>{content}</text:p>"
        return f'<table:table-cell office:value-type="string">{inner}</table:table-cell>'
    value = f'office:value-type="float" office:value="{str(content).replace("nan", "NaN")}"'
    return f"<table:table-cell {value}><text:p>{content}</text:p></table:table-cell>"


def lines(plot: str, rows: Iterable[str], kind: str = "bar", styles: str = "") -> list[str]:
    """Return what is read of a chart, a line for each row of its tables."""
    table = f'<table:table table:name="local-table">{"".join(rows)}</table:table>'
    drawn = (
        f"<office:document-content {NAMES}>{FORMATS}{styles}"
        f'<chart:chart chart:class="chart:{kind}"><chart:plot-area chart:style-name="s-plot">'
        f"{plot}</chart:plot-area>{table}</chart:chart></office:document-content>"
    )
    found = list(chart_content(parse(drawn.encode())))
    return [
        " | ".join("".join(one.itertext()) for one in line.iterchildren())
        for read in found
        for line in read.iter("{*}table-row")
    ]


SHARES = [row("", "Share"), row("East", 0.2), row("West", 0.25)]


@pytest.mark.parametrize(
    ("plot", "styles", "shown"),
    [
        pytest.param(
            axis("x", "", CATEGORIES) + series("B", "", 'chart:style-name="s-share"'),
            styled("share"),
            ["20%", "25%"],
            id="of the series",
        ),
        pytest.param(
            axis("x", "", CATEGORIES) + axis("y", 'chart:style-name="s-share"') + series("B"),
            styled("share", "false"),
            ["20%", "25%"],
            id="of the axis",
        ),
        pytest.param(
            axis("x", "", CATEGORIES) + axis("y", 'chart:style-name="s-share"') + series("B"),
            styled("share", "false") + styled("plot", kind='chart:percentage="true"'),
            ["0.2", "0.25"],
            id="of parts of a hundred",
        ),
    ],
)
def test_numbers_are_written_as_their_format_shows_them(
    plot: str, styles: str, shown: list[str]
) -> None:
    first, second = shown

    assert lines(plot, SHARES, styles=styles) == [" | Share", f"East | {first}", f"West | {second}"]


@pytest.mark.parametrize(
    ("attributes", "linked", "shown"),
    [
        pytest.param(AXIS_OF_DAYS, "true", "2025-01-01", id="axis of days"),
        pytest.param('chart:style-name="s-day"', "false", "2025-01-01", id="own format"),
        pytest.param('chart:style-name="s-day"', "true", "45658", id="format of no use"),
    ],
)
def test_days_are_dates_where_the_axis_shows_them(attributes: str, linked: str, shown: str) -> None:
    plot = axis("x", attributes, CATEGORIES) + series("B")
    rows = [row("", "Price"), row(45658, 1.5)]

    assert lines(plot, rows, styles=styled("day", linked)) == [" | Price", f"{shown} | 1.5"]


def test_places_of_points_stand_before_what_is_there() -> None:
    rows = [row("", "Runs", "Series2", "Falls"), row("", 2.5, 1, 7), row("", 4.5, 3, 8)]
    plot = series("B", domain("C")) + series("D")

    assert lines(plot, rows, "scatter") == [" | Runs | Falls", "1 | 2.5 | 7", "3 | 4.5 | 8"]


def test_a_series_without_points_is_left_out() -> None:
    missing = float("nan")
    rows = [row("", "Runs", "Series2", "Falls", "Series4"), row("", missing, missing, 7, 1)]
    plot = series("B", domain("C")) + series("D", domain("E"))

    assert lines(plot, rows, "scatter") == [" | Falls", "1 | 7"]


def test_bubbles_of_open_documents_have_their_sizes_behind_their_places() -> None:
    rows = [row("", "Series1", "Series2", "Firms"), row("", 2, 1, 10), row("", 4, 3, 20)]
    plot = series("D", domain("B") + domain("C"))

    assert lines(plot, rows, "bubble") == [
        *(" | Firms | Firms (size)", "1 | 2 | 10"),
        "3 | 4 | 20",
    ]


def test_a_category_of_two_levels_is_written_once() -> None:
    levels = "<text:list><text:list-item><text:p/></text:list-item></text:list>"
    rows = [row("", "EUR"), row(f"<text:p>2024 H1</text:p>{levels}", 1), row("2024 H2", 2)]

    read = lines(axis("x", "", CATEGORIES) + series("B"), rows)

    assert read == [" | EUR", "2024 H1 | 1", "2024 H2 | 2"]


@pytest.mark.parametrize("plot", ["", series("B").replace("local-table", "Sheet1")])
def test_a_table_of_which_nobody_says_what_is_drawn_is_read_as_it_is(plot: str) -> None:
    assert lines(plot, SHARES) == [" | Share", "East | 0.2", "West | 0.25"]
