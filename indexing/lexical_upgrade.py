"""Bring keyword indexes of version 0.1 into the form of today.

There a data source had its postings in a row per term, without a language and without the lengths
of the chunks, which stood in a row of their own.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    Column,
    Integer,
    LargeBinary,
    MetaData,
    Row,
    Table,
    Text,
    select,
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from indexing.language import DEFAULT_LANGUAGE
from indexing.lexical import create_tables, insert_own
from indexing.lexical_tables import lexical_tables, lock_segments
from indexing.postings import (
    GREATEST_LENGTH,
    HIGHEST_FREQUENCY,
    LARGEST_SEGMENT,
    POSTING,
    Segment,
    in_pieces,
)

_OLD_POSTING = np.dtype([("position", "<u4"), ("frequency", "<u2")])
_OLD_LENGTH = np.dtype("<u4")
_OLD_SEGMENTS = "lexical_segments_"


async def upgrade_tables(database: AsyncEngine) -> None:
    """Upgrade the keyword index of each engine that needs it, in a transaction of its own.

    Processes that start at once wait for each other. To be called before any engine is used.
    """
    for engine_id in await _outdated(database):
        async with database.begin() as connection:
            await lock_segments(connection, engine_id)
            if await _is_outdated(connection, engine_id):
                await _upgrade(connection, engine_id)


async def _outdated(database: AsyncEngine) -> Sequence[str]:
    statement = text(
        "SELECT substr(tablename, length(:prefix) + 1) FROM pg_tables"
        " WHERE schemaname = current_schema() AND starts_with(tablename, :prefix)"
    )
    async with database.connect() as connection:
        return (await connection.execute(statement, {"prefix": _OLD_SEGMENTS})).scalars().all()


async def _is_outdated(connection: AsyncConnection, engine_id: str) -> bool:
    statement = text("SELECT to_regclass(:table)")
    table = {"table": f"{_OLD_SEGMENTS}{engine_id}"}
    return (await connection.execute(statement, table)).scalar() is not None


async def _upgrade(connection: AsyncConnection, engine_id: str) -> None:
    old = MetaData()
    segments = Table(
        f"{_OLD_SEGMENTS}{engine_id}",
        old,
        Column("data_source_id", Text, primary_key=True),
        Column("chunk_count", Integer),
        Column("lengths", LargeBinary),
    )
    postings = Table(
        f"lexical_postings_{engine_id}",
        old,
        Column("term", Text(collation="C"), primary_key=True),
        Column("data_source_id", Text, primary_key=True),
        Column("postings", LargeBinary),
    )
    await create_tables(connection, engine_id)
    for segment in (await connection.execute(select(segments))).all():
        of_segment = postings.c.data_source_id == segment.data_source_id
        statement = select(postings.c.term, postings.c.postings).where(of_segment)
        rows = (await connection.execute(statement.order_by(postings.c.term))).all()
        await _insert(connection, engine_id, segment, rows)
    await connection.run_sync(old.drop_all)


async def _insert(
    connection: AsyncConnection, engine_id: str, segment: Row[Any], runs: Sequence[Row[Any]]
) -> None:
    tables = lexical_tables(engine_id)
    lengths = np.frombuffer(segment.lengths, _OLD_LENGTH)
    for first in range(0, segment.chunk_count, LARGEST_SEGMENT):
        part = lengths[first : first + LARGEST_SEGMENT]
        postings = await asyncio.to_thread(_converted, runs, first, part)
        own = Segment(DEFAULT_LANGUAGE, len(part), int(part.sum()), in_pieces(postings.items()))
        await insert_own(connection, tables, segment.data_source_id, first, own)


def _converted(
    runs: Sequence[Row[Any]], first: int, lengths: NDArray[np.uint32]
) -> dict[str, bytes]:
    """Return the postings of the chunks from `first` on, as they are stored today."""
    converted: dict[str, bytes] = {}
    for run in runs:
        old = np.frombuffer(run.postings, _OLD_POSTING)
        old = old[(old["position"] >= first) & (old["position"] < first + len(lengths))]
        if len(old):
            new = np.empty(len(old), POSTING)
            new["chunk"] = old["position"] - first
            new["frequency"] = np.minimum(old["frequency"], HIGHEST_FREQUENCY)
            new["length"] = np.minimum(lengths[new["chunk"]], GREATEST_LENGTH)
            converted[run.term] = new.tobytes()
    return converted
