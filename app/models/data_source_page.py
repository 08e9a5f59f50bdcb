"""The pages of data sources as they were read.

A person can look them up, and a reading that was cut off goes on behind the last of them.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Column, func
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.orm import defer
from sqlmodel import Field, SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from indexing.boxes import box_from_json
from indexing.types import Block, BlockKind, Page, PageBox, ReadBy
from indexing.word_count import count_words


class DataSourcePage(SQLModel, table=True):
    """A page, slide or sheet of a data source."""

    __tablename__ = "data_source_page"

    data_source_id: str = Field(foreign_key="data_source.id", ondelete="CASCADE", primary_key=True)
    position: int = Field(primary_key=True)  # 0-based, in the document's order
    page_number: int
    label: str = ""
    read_by: str = ReadBy.TEXT
    words: int = 0
    tables: int = 0
    pictures: int = 0
    seconds: float = 0.0
    warning: str = ""
    # [kind, text, header, boxes of its lines] of each block; pages read before there were boxes
    # have three values
    blocks: list[Any] = Field(sa_column=Column(JSONB, nullable=False))

    @classmethod
    def from_page(cls, data_source_id: str, position: int, page: Page) -> "DataSourcePage":
        return cls(
            data_source_id=data_source_id,
            position=position,
            page_number=page.number,
            label=page.label,
            read_by=page.read_by,
            words=sum(count_words(block.text) for block in page.blocks),
            tables=sum(block.kind is BlockKind.TABLE for block in page.blocks),
            pictures=page.pictures,
            seconds=page.seconds,
            warning=page.warning,
            blocks=[
                [block.kind, block.text, block.header, block.line_boxes] for block in page.blocks
            ],
        )

    def to_page(self) -> Page:
        """Return the page as it was read."""
        return Page(
            self.page_number,
            tuple(_block(*values) for values in self.blocks),
            label=self.label,
            warning=self.warning,
            read_by=ReadBy(self.read_by),
            pictures=self.pictures,
            seconds=self.seconds,
        )


def _block(kind: str, text: str, header: str, line_boxes: Sequence[PageBox | None] = ()) -> Block:
    return Block(BlockKind(kind), text, header, tuple(map(box_from_json, line_boxes)))


async def select_pages(session: AsyncSession, data_source_id: str) -> list[DataSourcePage]:
    """Return the pages of a data source in their order."""
    statement = (
        select(DataSourcePage)
        .where(DataSourcePage.data_source_id == data_source_id)
        .order_by(col(DataSourcePage.position))
    )
    return list((await session.exec(statement)).all())


async def select_ledger(session: AsyncSession, data_source_id: str) -> list[DataSourcePage]:
    """Return how the pages of a data source were read, without what stands on them."""
    statement = (
        select(DataSourcePage)
        .where(DataSourcePage.data_source_id == data_source_id)
        .order_by(col(DataSourcePage.position))
        .options(defer(DataSourcePage.blocks, raiseload=True))  # type: ignore[arg-type]  # A column here.
    )
    return list((await session.exec(statement)).all())


async def select_page_counts(
    session: AsyncSession, data_source_ids: Collection[str]
) -> dict[str, int]:
    """Return how many pages of each data source are read so far; one without any is left out."""
    statement = (
        select(DataSourcePage.data_source_id, func.count())
        .where(col(DataSourcePage.data_source_id).in_(data_source_ids))
        .group_by(col(DataSourcePage.data_source_id))
    )
    return dict((await session.exec(statement)).all())


async def select_pages_numbered(
    session: AsyncSession, data_source_id: str, page_number: int
) -> list[DataSourcePage]:
    """Return the pages of a data source that have this number: one, or none yet."""
    statement = select(DataSourcePage).where(
        DataSourcePage.data_source_id == data_source_id,
        DataSourcePage.page_number == page_number,
    )
    return list((await session.exec(statement)).all())


async def select_warnings(session: AsyncSession, data_source_id: str) -> list[str]:
    """Return what could not be read of a data source, in the order of its pages."""
    statement = (
        select(DataSourcePage.warning)
        .where(DataSourcePage.data_source_id == data_source_id, DataSourcePage.warning != "")
        .order_by(col(DataSourcePage.position))
    )
    return list((await session.exec(statement)).all())


async def insert_pages(
    session: AsyncSession, data_source_id: str, first: int, pages: Sequence[Page]
) -> None:
    """Store pages that were read, the first at this position; what is there stays."""
    rows = [
        DataSourcePage.from_page(data_source_id, first + number, page).model_dump()
        for number, page in enumerate(pages)
    ]
    if rows:
        # On the connection, for there it may be any number of rows.
        connection = await session.connection()
        await connection.execute(insert(DataSourcePage).on_conflict_do_nothing(), rows)
