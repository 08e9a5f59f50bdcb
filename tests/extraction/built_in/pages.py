"""Small pages as the readers give them, for the built-in extractor."""

from collections.abc import Sequence

import numpy as np

from extraction.built_in.layout import Passage, read_passages
from extraction.types import SourcePages
from indexing.embedding import Vectors
from indexing.types import Block, BlockKind, Page

TABLE_MARK = " | "


def source(*pages: str, data_source_id: str = "ds_1") -> SourcePages:
    """Return a data source; an empty line parts the blocks of a page."""
    return SourcePages(
        data_source_id,
        f"{data_source_id}.pdf",
        [
            Page(number, tuple(block(text) for text in page.split("\n\n")))
            for number, page in enumerate(pages, 1)
        ],
    )


def block(text: str) -> Block:
    """Return a table where the text has cells, whose first line is its header; else a text."""
    if TABLE_MARK not in text:
        return Block(BlockKind.TEXT, text)
    header, _, rows = text.partition("\n")
    return Block(BlockKind.TABLE, rows, header=header)


def passages(*pages: str) -> list[Passage]:
    """Return the passages of a data source."""
    return read_passages([source(*pages)])


def no_vectors(texts: Sequence[str]) -> Vectors:
    """Embed nothing: no text is near to another."""
    return np.zeros((len(texts), 1), dtype=np.float32)


LEASE = """WAREHOUSE LEASE AGREEMENT

This Lease is made on 1 March 2024 between Northgate Storage GmbH ("Landlord") and Harbour Lamps \
Ltd ("Tenant").

The lease begins on 1 April 2024 and ends on 31 March 2029.

This Lease is governed by the laws of the State of Ohio."""

RECEIPT = """PAPERMILL STATIONERY SDN BHD
(104512-X)
12, JALAN MERDEKA 3,
TAMAN SRI MUDA,
40150 SHAH ALAM
TEL: 03-5512 8876

Invoice No: PM-20817
Date: 14/08/2018 12:07

ITEM QTY AMOUNT
PAPER A4 2 18.00
PENS 1 6.50

Total: 24.50
CASH: 50.00
CHANGE: 25.50"""
