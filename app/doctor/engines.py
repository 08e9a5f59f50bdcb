"""Engines whose vectors are of no use to this service, so that they are searched by words alone."""

from collections.abc import Iterator, Sequence

from psycopg import Connection, sql
from psycopg.errors import UndefinedColumn, UndefinedTable

from app.doctor.findings import Finding, ok, warning
from config.model_table import InvalidModelTable, load_model_table
from config.settings import Settings, VectorStoreName, credential

NAMED = 20
"""How many engines are named at most."""

_OTHER_COLUMNS = """
    SELECT id, attname FROM knowledge_engine
    JOIN pg_attribute ON attrelid = to_regclass(format('data_%%s', id))
    JOIN pg_type ON pg_type.oid = atttypid
    WHERE typname = 'vector' AND attname <> %s AND NOT attisdropped
    ORDER BY knowledge_engine.created_at, id
"""


def check_engines(settings: Settings, connection: Connection) -> Iterator[Finding]:
    """Look for engines that have vectors of another embedder than the one that is set."""
    try:
        service = load_model_table(settings.models_file, credential).embedding
    except (InvalidModelTable, OSError):
        return  # `check_models` says so.
    from indexing.vector_store import BUILT_IN_COLUMN  # Slow to import.

    column = service.column if service else BUILT_IN_COLUMN
    others = _select_with_other_vectors(connection, column)
    out_of_reach = _select_in_milvus(connection) if service else []
    if others:
        advice = f"Run `ke engines reembed ENGINE`, or --all: {_names(others)}"
        text = f"{len(others)} have vectors of another embedder, which no search can use"
        yield warning("engines", text, advice)
    if out_of_reach:
        advice = (
            "With KE_MILVUS_URI, and without the section embedding of the routing file, run `ke "
            "engines move ENGINE --to postgres`; then, the other way about, `ke engines reembed "
            f"ENGINE`: {_names(out_of_reach)}"
        )
        text = f"{len(out_of_reach)} live in Milvus, where the embedding service has no vectors"
        yield warning("engines", text, advice)
    if not others and not out_of_reach:
        yield ok("engines", "none has vectors of another embedder")


def _select_with_other_vectors(connection: Connection, column: str) -> list[str]:
    """Return the engines of which a chunk has a vector elsewhere than in this column."""
    candidates = connection.execute(_OTHER_COLUMNS, [column]).fetchall()
    found = [one for one, other in candidates if _has_vector(connection, f"data_{one}", other)]
    return list(dict.fromkeys(found))


def _has_vector(connection: Connection, table: str, column: str) -> bool:
    statement = sql.SQL("SELECT EXISTS (SELECT FROM {} WHERE {} IS NOT NULL)")
    names = (sql.Identifier(table), sql.Identifier(column))
    try:
        row = connection.execute(statement.format(*names)).fetchone()
    except (UndefinedTable, UndefinedColumn):
        return False  # The engine was deleted, or embedded anew, a moment ago.
    return bool(row and row[0])


def _select_in_milvus(connection: Connection) -> list[str]:
    statement = "SELECT id FROM knowledge_engine WHERE vector_store = %s ORDER BY created_at, id"
    return [row[0] for row in connection.execute(statement, [VectorStoreName.MILVUS])]


def _names(engine_ids: Sequence[str]) -> str:
    more = len(engine_ids) - NAMED
    return ", ".join(engine_ids[:NAMED]) + (f" and {more} more" if more > 0 else "")
