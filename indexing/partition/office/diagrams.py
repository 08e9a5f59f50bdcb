"""Put what a diagram (SmartArt) says in the order in which it is drawn.

ECMA-376 part 1, 21.4.3: points, in any order, and connections that make a tree of them.
"""

from indexing.partition.office.package_xml import Element

_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"


def settle_points(diagram: Element) -> None:
    """Put the points of a diagram in the order of their tree; those outside of it come last."""
    points = diagram.find(f"{_DGM}ptLst")
    if points is None:
        return
    below: dict[str, list[tuple[int, str]]] = {}
    for connection in diagram.iter(f"{_DGM}cxn"):
        if connection.get("type", "parOf") == "parOf":
            place = connection.get("srcOrd", "")
            number = int(place) if place.isdecimal() and len(place) < 10 else 0
            child = connection.get("destId", "")
            below.setdefault(connection.get("srcId", ""), []).append((number, child))
    waiting = [one.get("modelId", "") for one in points if one.get("type") == "doc"]
    order: dict[str, int] = {}
    while waiting:
        point = waiting.pop()
        if point not in order:
            order[point] = len(order)
            waiting += [child for _, child in sorted(below.get(point, []), reverse=True)]
    points[:] = sorted(points, key=lambda one: order.get(one.get("modelId", ""), len(order)))
