"""The tables of an engine's keyword index, and the lock under which its segments change."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Sequence,
    Table,
    Text,
    func,
    select,
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from indexing.language import DEFAULT_LANGUAGE

ENGINE_ID = re.compile(r"[a-z0-9_]{1,40}")


@dataclass(frozen=True, slots=True)
class LexicalTables:
    """Where the keyword index of an engine lies.

    A span is a stretch of chunks of one data source in a segment; a run is the postings of one
    term in a segment. The counts say of each segment what its spans come to, so that a search need
    not look at every data source; without them no span can be written, as versions without counts
    would. Under the same stamp a segment loses spans, and never gets any.
    """

    metadata: MetaData
    segment_ids: Sequence
    counts: Table
    spans: Table
    runs: Table
    languages: set[str] = field(default_factory=lambda: {DEFAULT_LANGUAGE})
    """Those this process has met in the engine; there may be others by now."""


@lru_cache(maxsize=512)
def lexical_tables(engine_id: str) -> LexicalTables:
    """Describe an engine's tables; the same objects each time, or SQLAlchemy compiles anew."""
    if not ENGINE_ID.fullmatch(engine_id):
        raise ValueError(f"engine id {engine_id!r} cannot be part of a table's name")
    metadata = MetaData()
    segment_ids = Sequence(f"lexical_segment_ids_{engine_id}", metadata=metadata, data_type=Integer)
    counts = Table(
        f"lexical_counts_{engine_id}",
        metadata,
        Column("segment_id", Integer, primary_key=True, autoincrement=False),
        # Its number may come again, after a failover that lost what was written last.
        Column("stamp", BigInteger, nullable=False, server_default=text("(random() * 9e18)::int8")),
        Column("language", Text, nullable=False),
        Column("extent", Integer, nullable=False),  # of its chunk numbers, also those deleted since
        Column("span_count", Integer, nullable=False),
        Column("chunk_count", Integer, nullable=False),
        Column("token_count", BigInteger, nullable=False),
    )
    spans = Table(
        f"lexical_spans_{engine_id}",
        metadata,
        Column("data_source_id", Text, primary_key=True),
        Column("first_position", Integer, primary_key=True, autoincrement=False),
        Column("segment_id", ForeignKey(counts.c.segment_id), nullable=False),
        Column("language", Text, nullable=False),
        Column("first_chunk", Integer, nullable=False),
        Column("chunk_count", Integer, nullable=False),
        Column("token_count", BigInteger, nullable=False),
        Index(f"lexical_span_segments_{engine_id}", "segment_id"),
    )
    runs = Table(
        f"lexical_runs_{engine_id}",
        metadata,
        Column("term", Text(collation="C"), primary_key=True),
        Column("segment_id", Integer, primary_key=True, autoincrement=False),
        Column("postings", LargeBinary, nullable=False),
        Index(f"lexical_run_segments_{engine_id}", "segment_id"),
    )
    return LexicalTables(metadata, segment_ids, counts, spans, runs)


async def lock_segments(connection: AsyncConnection, engine_id: str) -> None:
    """Wait until nobody else changes stored segments of the engine, until the transaction ends.

    New segments need no lock, and searches never wait.
    """
    await connection.execute(select(func.pg_advisory_xact_lock(_lock_key(engine_id))))


async def try_lock_segments(connection: AsyncConnection, engine_id: str) -> bool:
    """Take the same lock if nobody has it."""
    lock = select(func.pg_try_advisory_xact_lock(_lock_key(engine_id)))
    return bool((await connection.execute(lock)).scalar())


def _lock_key(engine_id: str) -> object:
    return func.hashtextextended(f"lexical {engine_id}", 0)
