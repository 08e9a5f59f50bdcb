"""What tests of the keyword index store, and how they look at what is found."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from indexing.language import language_of
from indexing.lexical import insert_segments, packed
from indexing.lexical_search import LexicalHit
from tests.indexing.brute_force import found_by

LEASE = ["The rent is due in March.", "The deposit is three months of rent.", "Pets are welcome."]
GUIDE = ["Water the plants in March.", "Cut the roses in March and in April."]

Places = list[tuple[str, int]]
"""The data source and the position of each chunk."""


async def insert(database: AsyncEngine, data_source_id: str, texts: list[str]) -> None:
    """Store a data source in the engine `e1`."""
    async with database.begin() as connection:
        await insert_texts(connection, "e1", data_source_id, texts)


async def insert_texts(
    connection: AsyncConnection, engine_id: str, data_source_id: str, texts: Sequence[str]
) -> None:
    """Store what the chunks of a data source are found by, in a transaction."""
    await insert_segments(
        connection, engine_id, data_source_id, await packed(texts, language_of(texts))
    )


async def hits(
    database: AsyncEngine, query: str, limit: int = 100, data_source_id: str | None = None
) -> list[LexicalHit]:
    """Return what is found, in one data source or in all."""
    ids = None if data_source_id is None else [data_source_id]
    return await found_by(database, "e1", query, limit, ids)


def places(found: list[LexicalHit]) -> Places:
    """Return where what was found stands."""
    return [(hit.data_source_id, hit.position) for hit in found]
