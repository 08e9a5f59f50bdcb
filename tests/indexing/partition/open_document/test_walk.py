import zipfile
from pathlib import Path

import pytest

from tests.indexing.partition.open_documents import NAMES, texts, write


def test_headers_of_all_kinds_are_read_once_and_end_no_page(path: Path) -> None:
    styles = (
        "<style:header><text:p>Lamps</text:p></style:header>"
        "<style:header-left><text:p>Left</text:p></style:header-left>"
        '<style:footer-first style:display="false"><text:p>Off</text:p></style:footer-first>'
        "<style:header><text:p>Lamps</text:p></style:header>"
    )
    write(path, '<text:p text:style-name="new">Trim the wick.</text:p>')
    with zipfile.ZipFile(path, "a") as package:
        package.writestr("styles.xml", f"<office:styles {NAMES}>{styles}</office:styles>")

    assert texts(path) == [["Lamps", "Left", "Trim the wick."]]


FORMULA = (
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mi>a</mi><mn>2</mn></mfrac></math>'
)
FRAME = '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image/></draw:frame>'


@pytest.mark.parametrize(
    ("body", "read"),
    [
        pytest.param(
            f"<text:p>Let {FRAME} be it.</text:p>", ["Let a/2 be it."], id="in a sentence"
        ),
        pytest.param(f"{FRAME}<text:p>Below.</text:p>", ["a/2", "Below."], id="by itself"),
    ],
)
def test_a_formula_is_read_where_it_stands(body: str, read: list[str], path: Path) -> None:
    write(path, body)
    with zipfile.ZipFile(path, "a") as package:
        package.writestr("Object 1/content.xml", FORMULA)

    assert texts(path) == [read]


def test_hidden_sections_and_fields_are_not_read(path: Path) -> None:
    write(
        path,
        '<text:section text:display="none"><text:p>unseen</text:p></text:section>'
        '<text:section text:is-hidden="true"><text:p>unseen too</text:p></text:section>'
        '<text:p>lamps<text:variable-set text:display="none">5</text:variable-set>'
        '<text:hidden-text text:is-hidden="true">6</text:hidden-text></text:p>',
    )

    assert texts(path) == [["lamps"]]
