import pytest
from lxml import etree

from indexing.partition.office.diagrams import settle_points

DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"


def diagram(points: str, connections: str) -> etree._Element:
    return etree.fromstring(
        f'<dataModel xmlns="{DGM}"><ptLst>{points}</ptLst><cxnLst>{connections}</cxnLst>'
        "</dataModel>"
    )


def point(name: str, kind: str = "node") -> str:
    return f'<pt modelId="{name}" type="{kind}"/>'


def connection(above: str, below: str, place: int, kind: str = "parOf") -> str:
    return f'<cxn type="{kind}" srcId="{above}" destId="{below}" srcOrd="{place}"/>'


@pytest.mark.parametrize(
    ("connections", "order"),
    [
        pytest.param(
            connection("all", "chief", 0)
            + connection("chief", "sales", 1)
            + connection("chief", "tech", 0)
            + connection("tech", "dev", 0)
            + connection("all", "sales", 0, "presOf"),
            "all chief tech dev sales alone",
            id="tree",
        ),
        pytest.param(
            connection("all", "dev", 0) + connection("dev", "all", 0),
            "all dev sales chief tech alone",
            id="ring",
        ),
        pytest.param("", "all sales chief tech dev alone", id="no tree"),
    ],
)
def test_points_come_in_the_order_of_their_tree(connections: str, order: str) -> None:
    names = ["sales", "chief", "tech", "dev", "alone"]
    found = diagram("".join(map(point, names)) + point("all", "doc"), connections)

    settle_points(found)

    assert [one.get("modelId") for one in found[0]] == order.split()


def test_a_diagram_without_points_stays_as_it_is() -> None:
    settle_points(etree.fromstring("<x/>"))
