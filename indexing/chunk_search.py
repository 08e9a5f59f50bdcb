"""What searches read from the table of an engine: chunks, near a vector or named by their ids.

Every question waits for it, so there are no nodes of LlamaIndex here, all columns come in binary,
and each statement is written once. `EngineVectorStore` makes the table and fills it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import psycopg
from psycopg import sql
from psycopg.rows import args_row

from indexing.embedding import Vectors
from indexing.types import Chunk


class ChunkSearch:
    """The table of one engine, with the column of one embedder, for connections that search."""

    def __init__(self, engine_id: str, table: str, column: str) -> None:
        self.engine_id = engine_id
        self._table, self._column = table, column

    def nearest(
        self,
        connection: psycopg.Connection,
        vector: Vectors,
        limit: int,
        data_source_ids: Sequence[str] | None = None,
    ) -> list[Chunk]:
        """Return the nearest chunks, of these data sources if given, by cosine, in any order.

        One statement with bound values only. Chunks without a vector have a cosine of 0, and count
        as farthest. Where the vectors of the engine live in Milvus, nothing is returned.
        """
        in_some = data_source_ids is not None
        statement = _select_nearest(self._table, self._column, limit, in_some=in_some)
        values = {
            "engine_id": self.engine_id,
            "vector": vector,
            "data_source_ids": list(data_source_ids or ()),
        }
        with _chunk_cursor(connection) as cursor:
            # A plan that is kept would serve all data sources alike, but the best way to the chunks
            # of a small one is not that to those of a large one: 2 ms become 300.
            return cursor.execute(statement, values, prepare=False if in_some else None).fetchall()

    def select_scored(
        self, connection: psycopg.Connection, vector: Vectors, chunk_ids: Sequence[str]
    ) -> list[Chunk] | None:
        """Return the chunks with these ids, as far as there are such, by cosine, in any order.

        Those without a vector have a cosine of 0. None, where the vectors live in Milvus.
        """
        statement = _select_scored(self._table, self._column)
        values = {"engine_id": self.engine_id, "vector": vector, "chunk_ids": list(chunk_ids)}
        with connection.cursor(binary=True) as cursor:
            rows = cursor.execute(statement, values).fetchall()
        if rows and rows[0][-1]:
            return None
        return [_to_chunk(*row[:-1]) for row in rows]

    def select(self, connection: psycopg.Connection, scores: Mapping[str, float]) -> list[Chunk]:
        """Return the chunks with these ids and scores, as far as there are such, in any order."""
        statement = _select_named(self._table)
        with connection.cursor(binary=True) as cursor:
            rows = cursor.execute(statement, (list(scores),)).fetchall()
        return [_to_chunk(*stated, scores[stated[0]], box) for *stated, box in rows]

    def select_vectors(
        self, connection: psycopg.Connection
    ) -> tuple[Sequence[str], Vectors] | None:
        """Return the ids of all chunks and a row for each; None where any has no vector yet.

        Both statements must show the same moment: the caller's transaction sees to that.
        """
        names = {"table": sql.Identifier(self._table), "vectors": sql.Identifier(self._column)}
        with connection.cursor(binary=True) as cursor:
            cursor.execute(_LACKS_VECTORS.format(**names))
            if cursor.fetchone() == (True,):
                return None
            cursor.execute(_SELECT_VECTORS.format(**names))
            ids, packed = cursor.fetchone() or (None, None)
        if ids is None:
            return None
        return ids, np.frombuffer(packed, ">f4").reshape(len(ids), -1).astype(np.float32)

    def select_others(
        self,
        connection: psycopg.Connection,
        chunk_ids: Sequence[str],
        limit: int,
        data_source_ids: Sequence[str] | None = None,
    ) -> list[Chunk]:
        """Return chunks with other ids than these, of these data sources if they are given."""
        statement = _SELECT_OTHERS.format(table=sql.Identifier(self._table), stated=_STATED)
        of_some = None if data_source_ids is None else list(data_source_ids)
        values = {"chunk_ids": list(chunk_ids), "limit": limit, "data_source_ids": of_some}
        with _chunk_cursor(connection) as cursor:
            return cursor.execute(statement, values).fetchall()

    def is_in_milvus(self, connection: psycopg.Connection) -> bool:
        """Tell whether the vectors of the engine live in Milvus at this moment."""
        statement = sql.SQL("SELECT {}").format(_LIVES_IN_MILVUS)
        row = connection.execute(statement, {"engine_id": self.engine_id}).fetchone()
        return row == (True,)


_NEAREST = sql.SQL("""
    SELECT id, {vectors} <=> %(vector)b AS distance FROM {table}
    ORDER BY {vectors} <=> %(vector)b LIMIT {limit}
""")

# A graph knows nothing of data sources: it would find a few of the right ones among the nearest.
# Here every chunk of theirs is compared (the OFFSET keeps the planner from the graph).
_NEAREST_OF_SOME = sql.SQL("""
    SELECT id, distance FROM (
        SELECT id, {vectors} <=> %(vector)b AS distance FROM {table}
        WHERE metadata_ ->> 'ref_doc_id' = ANY(%(data_source_ids)s) OFFSET 0
    ) AS eligible
    ORDER BY distance LIMIT {limit}
""")

_STATED = sql.SQL("""
    LATERAL jsonb_to_record(metadata_) AS stated (
        ref_doc_id text, file_name text, page_number int, section text, box float8[]
    )
""")

# Part of each search, so that none ever shows a half of what is on the move.
_LIVES_IN_MILVUS = sql.SQL("""EXISTS (
    SELECT FROM knowledge_engine WHERE id = %(engine_id)s AND vector_store = 'milvus'
)""")

_SELECT_NEAREST = sql.SQL("""
    WITH nearest AS MATERIALIZED ({nearest})
    SELECT node_id, ref_doc_id, file_name, page_number, text, section,
           coalesce(1 - distance, 0), box
    FROM nearest JOIN {table} USING (id), {stated} WHERE NOT {elsewhere}
""")

_SELECT_SCORED = sql.SQL("""
    SELECT node_id, ref_doc_id, file_name, page_number, text, section,
           coalesce(1 - ({vectors} <=> %(vector)b), 0), box, {elsewhere}
    FROM {table}, {stated} WHERE node_id = ANY(%(chunk_ids)s)
""")

_SELECT_NAMED = sql.SQL("""
    SELECT node_id, ref_doc_id, file_name, page_number, text, section, box
    FROM {table}, {stated} WHERE node_id = ANY(%s)
""")

_LACKS_VECTORS = sql.SQL("SELECT EXISTS (SELECT FROM {table} WHERE {vectors} IS NULL)")

# What is sent of a vector begins with four bytes that say how long it is.
_SELECT_VECTORS = sql.SQL("""
    SELECT array_agg(node_id), string_agg(substr(vector_send({vectors}), 5), ''::bytea)
    FROM {table}
""")

_SELECT_OTHERS = sql.SQL("""
    SELECT node_id, ref_doc_id, file_name, page_number, text, section, 0, box
    FROM {table}, {stated}
    WHERE node_id <> ALL(%(chunk_ids)s)
      AND (%(data_source_ids)s::text[] IS NULL
           OR metadata_ ->> 'ref_doc_id' = ANY(%(data_source_ids)s))
    LIMIT %(limit)s
""")


@lru_cache(maxsize=1024)
def _select_nearest(table: str, column: str, limit: int, *, in_some: bool) -> bytes:
    """Select the nearest rows.

    The limit is part of the statement, or PostgreSQL would plan each search anew: a plan that is to
    be kept would be made for a limit of a tenth of the table, and look worse than one that is not.
    """
    names = {"table": sql.Identifier(table), "vectors": sql.Identifier(column)}
    nearest = (_NEAREST_OF_SOME if in_some else _NEAREST).format(limit=sql.Literal(limit), **names)
    statement = _SELECT_NEAREST.format(
        nearest=nearest, stated=_STATED, elsewhere=_LIVES_IN_MILVUS, **names
    )
    return statement.as_bytes(None)


@lru_cache(maxsize=1024)
def _select_scored(table: str, column: str) -> bytes:
    return _SELECT_SCORED.format(
        table=sql.Identifier(table),
        vectors=sql.Identifier(column),
        stated=_STATED,
        elsewhere=_LIVES_IN_MILVUS,
    ).as_bytes(None)


@lru_cache(maxsize=512)
def _select_named(table: str) -> bytes:
    return _SELECT_NAMED.format(table=sql.Identifier(table), stated=_STATED).as_bytes(None)


def _chunk_cursor(connection: psycopg.Connection) -> psycopg.Cursor[Chunk]:
    # In binary, boxes and scores need no parsing; a hundred boxes in text take half a millisecond.
    return connection.cursor(row_factory=args_row(_to_chunk), binary=True)


def _to_chunk(*columns: Any) -> Chunk:
    *stated, box = columns
    return Chunk(*stated, *([tuple(box)] if box else []))
