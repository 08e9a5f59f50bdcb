"""Bring the charts of newer programs into the shape of all others: waterfalls, funnels, tree maps.

They have elements of their own ([MS-ODRAWXML] 2.24), and for older programs a text that says so.
"""

import copy

from lxml import etree

from indexing.partition.office.package_xml import MC, Element

CX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
NEWER_CHART = f"{CX}chart"
"""Stands in a drawing for a chart of this kind, and names its part."""

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"

_DRAWN_VALUES = ("val", "size", "y")
_AXES = {f"{CX}catScaling": f"{_C}catAx", f"{CX}valScaling": f"{_C}valAx"}


def leave_out_fallbacks(drawing: Element) -> None:
    """Leave out what is said in place of such charts where they cannot be drawn."""
    for chart in drawing.iter(NEWER_CHART):
        for content in chart.iterancestors(f"{MC}AlternateContent"):
            for fallback in content.findall(f"{MC}Fallback"):
                content.remove(fallback)


def usual_chart(chart: Element) -> Element:
    """Return a chart as all programs know it: itself, if it is one."""
    if chart.tag != f"{CX}chartSpace":
        return chart
    usual = etree.Element(f"{_C}chartSpace")
    inner = etree.SubElement(usual, f"{_C}chart")
    _add_title(inner, chart.find(f"{CX}chart/{CX}title"))
    plot = etree.SubElement(inner, f"{_C}plotArea")
    data = {one.get("id", ""): one for one in chart.iterfind(f"{CX}chartData/{CX}data")}
    for series in chart.iterfind(f"{CX}chart//{CX}series"):
        named = series.find(f"{CX}dataId")
        drawn = None if named is None else data.get(named.get("val", ""))
        if drawn is not None:
            _add_series(plot, series, drawn)
    for axis in chart.iterfind(f"{CX}chart/{CX}plotArea/{CX}axis"):
        for scaling, kind in _AXES.items():
            if axis.find(scaling) is not None:
                _add_title(etree.SubElement(plot, kind), axis.find(f"{CX}title"))
    return usual


def _add_title(holder: Element, title: Element | None) -> None:
    if title is not None:
        text = etree.SubElement(etree.SubElement(holder, f"{_C}title"), f"{_C}tx")
        rich = etree.SubElement(text, f"{_C}rich")
        paragraphs = list(title.iterfind(f"{CX}tx/{CX}rich/{_A}p"))
        rich.extend(map(copy.deepcopy, paragraphs))
        for value in [] if paragraphs else title.iter(f"{CX}v"):
            etree.SubElement(rich, f"{_C}v").text = value.text


def _add_series(plot: Element, series: Element, data: Element) -> None:
    usual = etree.SubElement(plot, f"{_C}ser")
    name = etree.SubElement(usual, f"{_C}tx")
    for value in series.iterfind(f"{CX}tx/{CX}txData/{CX}v"):
        etree.SubElement(name, f"{_C}v").text = value.text
    categories = data.find(f"{CX}strDim")
    if categories is not None:
        source = etree.SubElement(etree.SubElement(usual, f"{_C}cat"), f"{_C}strRef")
        levels = list(categories.iterchildren(f"{CX}lvl"))
        for level in levels:
            _add_points(etree.SubElement(source, f"{_C}lvl") if levels[1:] else source, level)
    numbers = list(data.iterchildren(f"{CX}numDim"))
    numbers.sort(key=lambda one: one.get("type") not in _DRAWN_VALUES)
    for level in numbers[0].iterchildren(f"{CX}lvl") if numbers else ():
        cache = etree.SubElement(etree.SubElement(usual, f"{_C}val"), f"{_C}numCache")
        etree.SubElement(cache, f"{_C}formatCode").text = level.get("formatCode", "")
        _add_points(cache, level)


def _add_points(holder: Element, level: Element) -> None:
    for point in level.iterchildren(f"{CX}pt"):
        usual = etree.SubElement(holder, f"{_C}pt", idx=point.get("idx", ""))
        etree.SubElement(usual, f"{_C}v").text = point.text
