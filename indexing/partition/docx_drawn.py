"""Write out what a Word document draws from data: a chart as a table, a diagram as paragraphs."""

from collections.abc import Iterator, Mapping, Sequence

from lxml import etree

from indexing.partition.docx_body import TBL, TC, TR, Element, P, R, T, W, parse

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_REL = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def write_out(document: Element, members: Mapping[str, str], parts: Mapping[str, bytes]) -> None:
    """Set what charts and diagrams say behind the paragraph that each is anchored in.

    `members` are the names of the parts that the document refers to, by their ids.
    """
    for drawn in reversed(list(document.iter(f"{_C}chart", f"{_DGM}relIds"))):
        part_id = drawn.get(f"{_REL}id") or drawn.get(f"{_REL}dm") or ""
        part = parts.get(members.get(part_id, ""))
        anchor = next(drawn.iterancestors(P), None)
        if not part or anchor is None:
            continue
        blocks = _chart(parse(part)) if drawn.tag == f"{_C}chart" else _diagram(parse(part))
        for block in reversed(list(blocks)):
            anchor.addnext(block)


def _chart(chart: Element) -> Iterator[Element]:
    """Yield its title, and a table of a row for each category and a column for each series."""
    title = chart.find(f"{_C}chart/{_C}title")
    if title is not None and (words := _words(title)):
        yield _paragraph(words)
    series = list(chart.iter(f"{_C}ser"))
    labels = [_points(one, "cat", "xVal") for one in series]
    values = [_points(one, "val", "yVal") for one in series]
    rows = [
        [
            next((label[place] for label in labels if place in label), ""),
            *(value.get(place, "") for value in values),
        ]
        for place in sorted(set().union(*values))
    ]
    if rows:
        yield _table([["", *map(_name, series)], *rows])


def _diagram(data: Element) -> Iterator[Element]:
    for paragraph in data.iter(f"{_A}p"):
        if words := _words(paragraph):
            yield _paragraph(words)


def _name(series: Element) -> str:
    return " ".join(one.text or "" for one in series.iterfind(f"{_C}tx//{_C}v"))


def _points(series: Element, *names: str) -> dict[int, str]:
    """Return the values that were last drawn, by their places; of two levels the finer one."""
    found: dict[int, str] = {}
    for name in names:
        points = series.iterfind(f"{_C}{name}//{_C}pt")
        for point in points:
            place = point.get("idx", "")
            if place.isdecimal() and len(place) < 10:
                found.setdefault(int(place), _plain(point.findtext(f"{_C}v") or ""))
    return found


def _words(element: Element) -> str:
    return "".join(run.text or "" for run in element.iter(f"{_A}t")).strip()


def _plain(value: str) -> str:
    """Write a number without what binary fractions add to it."""
    try:
        return format(float(value), ".15g")
    except ValueError:
        return value


def _paragraph(words: str) -> Element:
    paragraph = etree.Element(P)
    etree.SubElement(etree.SubElement(paragraph, R), T).text = words
    return paragraph


def _table(rows: Sequence[Sequence[str]]) -> Element:
    table = etree.Element(TBL)
    grid = etree.SubElement(table, f"{W}tblGrid")
    for _ in rows[0]:
        etree.SubElement(grid, f"{W}gridCol")
    for cells in rows:
        row = etree.SubElement(table, TR)
        for words in cells:
            etree.SubElement(row, TC).append(_paragraph(words))
    return table
