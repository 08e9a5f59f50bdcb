"""Small documents and fields to extract from and for."""

from extraction.types import FieldType, Option, RequestedField, SourcePages
from indexing.types import Block, BlockKind, Page


def source(*texts: str, data_source_id: str = "ds_1") -> SourcePages:
    """Return a data source that has these texts on its pages."""
    pages = [page(number, text) for number, text in enumerate(texts, start=1)]
    return SourcePages(data_source_id, f"{data_source_id}.pdf", pages)


def page(number: int, text: str) -> Page:
    return Page(number, (Block(BlockKind.TEXT, text),))


def wanted(
    name: str = "total", type_: FieldType = FieldType.NUMBER, *options: Option, about: str = ""
) -> RequestedField:
    return RequestedField(name, about, type_, options)
