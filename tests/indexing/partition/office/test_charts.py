import pytest

from indexing.partition.office.charts import chart_tables, chart_titles
from indexing.partition.office.package_xml import Element, parse

NAMESPACES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:c15="http://schemas.microsoft.com/office/drawing/2012/chart"'
)


def points(*values: str) -> str:
    return "".join(
        f'<c:pt idx="{n}"><c:v>{one}</c:v></c:pt>' for n, one in enumerate(values) if one
    )


def data(kind: str, code: str, *values: str) -> str:
    cache = f"<c:numCache><c:formatCode>{code}</c:formatCode>{points(*values)}</c:numCache>"
    return f"<c:{kind}><c:numRef>{cache}</c:numRef></c:{kind}>"


def series(name: str, *parts: str) -> str:
    return f"<c:ser><c:tx><c:v>{name}</c:v></c:tx>{''.join(parts)}</c:ser>"


def chart(plot: str, before: str = "") -> Element:
    content = f"<c:chart>{before}<c:plotArea>{plot}</c:plotArea></c:chart>"
    return parse(f"<c:chartSpace {NAMESPACES}>{content}</c:chartSpace>".encode())


def title(words: str) -> str:
    return (
        f"<c:title><c:tx><c:rich><a:p><a:r><a:t>{words}</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    )


@pytest.mark.parametrize("kind", ["pie3DChart", "ofPieChart", "stockChart", "surfaceChart"])
def test_charts_of_every_shape_are_tables(kind: str) -> None:
    lamps = series("Lamps", data("cat", "General", "2023", "2024"), data("val", "0%", "0.25", ""))

    (table,) = chart_tables(chart(f"<c:{kind}>{lamps}</c:{kind}>"))

    assert (table.header, table.rows) == (["", "Lamps"], [["2023", "25%"]])


def test_axes_say_what_is_counted() -> None:
    axes = f"<c:catAx>{title('Quarter')}</c:catAx><c:valAx>{title('EUR million')}</c:valAx>"
    lamps = series("Lamps", data("cat", "General", "1"), data("val", "General", "5"))
    drawn = chart(f"<c:barChart>{lamps}</c:barChart>{axes}", title("Sales"))

    (table,) = chart_tables(drawn)

    assert list(chart_titles(drawn)) == ["Sales", "EUR million"]
    assert table.header == ["Quarter", "Lamps"]


def test_points_stand_beside_their_places() -> None:
    first = series("A", data("xVal", "General", "1.5", "3"), data("yVal", "General", "10", "20"))
    second = series("B", data("xVal", "General", "7"), data("yVal", "General", "30"))

    tables = list(chart_tables(chart(f"<c:scatterChart>{first}{second}</c:scatterChart>")))

    assert [table.rows for table in tables] == [[["1.5", "10"], ["3", "20"]], [["7", "30"]]]


def test_bubbles_have_their_sizes_behind_their_places() -> None:
    places = data("xVal", "General", "1.5", "3"), data("yVal", "General", "2", "4")
    firms = series("Firms", *places, data("bubbleSize", "0%", "0.1", "0.2"))

    (table,) = chart_tables(chart(f"<c:bubbleChart>{firms}</c:bubbleChart>"))

    assert table.header == ["", "Firms", "Firms (size)"]
    assert table.rows == [["1.5", "2", "10%"], ["3", "4", "20%"]]


def test_what_labels_say_stands_behind_their_values() -> None:
    run, field = "<a:r><a:t>{}</a:t></a:r>", "<a:fld><a:t>[VALUE]</a:t></a:fld>"
    texts = (run.format("re") + run.format("call "), field, run.format("20"), "")
    labels = "".join(
        f'<c:dLbl><c:idx val="{n}"/><c:tx><c:rich><a:p>{text}</a:p></c:rich></c:tx></c:dLbl>'
        for n, text in enumerate(texts)
    )
    cells = f"<c15:dlblRangeCache>{points('', 'Lamp', '', 'Wick')}</c15:dlblRangeCache>"
    values = data("yVal", "General", "5", "10", "20", "30")

    (table,) = chart_tables(chart(series("A", f"<c:dLbls>{labels}</c:dLbls>", values, cells)))

    assert [row[1] for row in table.rows] == ["5 (recall)", "10 (Lamp)", "20", "30 (Wick)"]


def test_dates_and_categories_of_two_levels_are_written_out() -> None:
    days = series("Days", data("cat", "d mmm yy", "45000"), data("val", "General", "1"))
    quarters = (
        f"<c:lvl>{points('Q1', 'Q2', 'Q1')}</c:lvl><c:lvl>{points('2023', '', '2024')}</c:lvl>"
    )
    levels = f"<c:cat><c:multiLvlStrRef>{quarters}</c:multiLvlStrRef></c:cat>"
    sales = series("Sales", levels, data("val", "General", "1", "2", "3"))

    dated, grouped = chart_tables(chart(f"<c:barChart>{days}{sales}</c:barChart>"))

    assert dated.rows == [["2023-03-15", "1"]]
    assert grouped.rows == [["2023 Q1", "1"], ["2023 Q2", "2"], ["2024 Q1", "3"]]
