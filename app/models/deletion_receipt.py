"""Deletion receipts: what was erased, and that it was looked for afterwards and not found."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Column, ColumnElement, Table, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field, SQLModel, col
from sqlmodel import select as select_rows
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.columns import created_at_field
from app.models.data_source import DataSource
from app.models.page_of_rows import PageRequest, one_page
from app.models.tool_run import ToolRun
from app.models.workflow import Workflow


class DeletionReceipt(SQLModel, table=True):
    """What was erased with a data source or an engine; pending until nothing of it is found."""

    __tablename__ = "deletion_receipt"

    id: str = Field(primary_key=True)
    account_id: int = Field(foreign_key="account.id", ondelete="CASCADE", index=True)
    knowledge_engine_id: str = Field(index=True)  # It outlives the engine.
    # What is signed: app/receipts.py says what is in it.
    content: dict[str, Any] = Field(sa_column=Column(JSONB, nullable=False))
    # Where postings of the data source lay, each: segment, first chunk, number of chunks.
    places: list[list[int]] = Field(
        default_factory=list, sa_column=Column(JSONB, nullable=False, server_default="[]")
    )
    signature: str = ""  # in base64; "" while the receipt is pending
    created_at: datetime = created_at_field()


async def insert_receipt(session: AsyncSession, receipt: DeletionReceipt) -> None:
    """Store a receipt that is pending."""
    session.add(receipt)
    await session.flush()


async def select_receipt(
    session: AsyncSession, account_id: int, receipt_id: str
) -> DeletionReceipt | None:
    """Return the receipt of this account, or None."""
    statement = select_rows(DeletionReceipt).where(
        DeletionReceipt.id == receipt_id, DeletionReceipt.account_id == account_id
    )
    return (await session.exec(statement)).first()


async def select_receipts(
    session: AsyncSession, account_id: int, page: PageRequest, *, engine_id: str | None = None
) -> list[DeletionReceipt]:
    """Return the receipts of this account, in the order the page asks for."""
    statement = select_rows(DeletionReceipt).where(DeletionReceipt.account_id == account_id)
    if engine_id is not None:
        statement = statement.where(DeletionReceipt.knowledge_engine_id == engine_id)
    return list((await session.exec(one_page(statement, DeletionReceipt, page))).all())


async def select_pending_receipts(session: AsyncSession) -> list[DeletionReceipt]:
    """Return the receipts of all accounts that are not signed yet."""
    statement = select_rows(DeletionReceipt).where(DeletionReceipt.signature == "")
    return list((await session.exec(statement)).all())


async def update_signed(
    session: AsyncSession, receipt_id: str, content: Mapping[str, Any], signature: str
) -> None:
    """Give a pending receipt its last content and its signature; a signed one stays as it is."""
    statement = (
        update(DeletionReceipt)
        .where(col(DeletionReceipt.id) == receipt_id, col(DeletionReceipt.signature) == "")
        .values(content=dict(content), signature=signature, places=[])
    )
    await session.exec(statement)


async def lock_data_sources(session: AsyncSession, engine_id: str) -> None:
    """Wait until nothing is being stored of the data sources of an engine.

    So what is counted then is what the transaction deletes.
    """
    statement = select_rows(DataSource.id).where(DataSource.knowledge_engine_id == engine_id)
    await session.exec(statement.order_by(DataSource.id).with_for_update())


async def count_rows_with(
    session: AsyncSession, table_name: str, column: str, value: str
) -> dict[str, int]:
    """Count the rows of a table that have a value, and those that are deleted with them.

    The foreign keys say which these are. The counts stand by the names of the tables.
    """
    table = SQLModel.metadata.tables[table_name]
    return await _count(session, _rows_with(table, table.c[column] == value))


async def count_rows_naming(session: AsyncSession, table_name: str, row_id: str) -> dict[str, int]:
    """Count the row of a table with this id, and the rows of others with a column that names it."""
    table = SQLModel.metadata.tables[table_name]
    naming = {table: table.c.id == row_id}
    for other in SQLModel.metadata.sorted_tables:
        columns = [key.parent for key in other.foreign_keys if key.column is table.c.id]
        if columns:
            naming[other] = or_(*(one == row_id for one in columns))
    return await _count(session, naming)


async def count_quoting_runs(session: AsyncSession, engine_id: str, data_source_id: str) -> int:
    """Return how many tool runs of an engine quote a data source."""
    quoted = literal([{"evidence": [{"data_source_id": data_source_id}]}], JSONB)
    statement = select_rows(func.count()).where(
        ToolRun.knowledge_engine_id == engine_id, col(ToolRun.extracted_fields).contains(quoted)
    )
    return (await session.exec(statement)).one()


async def count_runs_over(session: AsyncSession, engine_id: str, data_source_id: str) -> int:
    """Return how many tool runs of an engine were asked to look into a data source."""
    tagged = literal({"tagged_data_sources": [{"id": data_source_id}]}, JSONB)
    statement = select_rows(func.count()).where(
        ToolRun.knowledge_engine_id == engine_id, col(ToolRun.tool).contains(tagged)
    )
    return (await session.exec(statement)).one()


async def count_citing_workflows(session: AsyncSession, engine_id: str, data_source_id: str) -> int:
    """Return how many workflows of an engine cite a data source."""
    cited = literal([{"data_source_id": data_source_id}], JSONB)
    statement = select_rows(func.count()).where(
        Workflow.knowledge_engine_id == engine_id, col(Workflow.citations).contains(cited)
    )
    return (await session.exec(statement)).one()


def _rows_with(table: Table, condition: ColumnElement[bool]) -> dict[Table, ColumnElement[bool]]:
    """Return, by table, which rows go with those of one table that fulfil a condition."""
    going = {table: condition}
    # Tables that others refer to come first.
    for other in SQLModel.metadata.sorted_tables:
        references = [
            key.parent.in_(select(key.column).where(going[key.column.table]))
            for key in other.foreign_keys
            if key.ondelete == "CASCADE" and key.column.table in going
        ]
        if references and other is not table:
            going[other] = or_(*references)
    return going


async def _count(
    session: AsyncSession, rows: Mapping[Table, ColumnElement[bool]]
) -> dict[str, int]:
    counts: Sequence[Any] = [
        select(func.count()).select_from(table).where(condition).scalar_subquery()
        for table, condition in rows.items()
    ]
    connection = await session.connection()
    counted = (await connection.execute(select(*counts))).one()
    return {table.name: count for table, count in zip(rows, counted, strict=True)}
