from pathlib import Path

from indexing.partition.open_document.document import open_odt
from indexing.types import Block, BlockKind
from tests.indexing.partition.open_documents import texts, write


def test_titles_and_powers_are_told_by_their_styles(path: Path) -> None:
    styles = (
        '<style:style style:name="P1" style:parent-style-name="Title"/><style:style'
        ' style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style>'
    )
    power = '10<text:span text:style-name="T1">6</text:span>'
    write(path, f'{styles}<text:p text:style-name="P1">Lamps</text:p><text:p>{power}</text:p>')

    (page,) = open_odt(path).pages

    assert page.blocks == (Block(BlockKind.HEADING, "Lamps"), Block(BlockKind.TEXT, "10^6"))


def test_hidden_text_is_not_read(path: Path) -> None:
    properties = '<style:text-properties text:display="none"/>'
    style = f'<style:style style:name="T2">{properties}</style:style>'
    span = '<text:span text:style-name="T2">unseen </text:span>'
    paragraph = '<text:p text:style-name="T2">unseen too</text:p>'
    write(path, f"{style}<text:p>{span}lamps</text:p>{paragraph}<text:p>wicks</text:p>")

    assert texts(path) == [["lamps", "wicks"]]
