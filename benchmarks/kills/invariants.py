"""What must hold whenever the load has stopped, as SQL and a list of the files can tell."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from benchmarks.kills.ledger import Ledger

Connection = psycopg.Connection[dict[str, Any]]


def check_ledger(database: Connection, ledger: Ledger) -> list[str]:
    """Check that what was acknowledged is so."""
    rows = {row["id"]: row for row in select_rows(database, "SELECT * FROM data_source")}
    gone = ledger.deleted_documents()
    wrong = [f"{key}: deleted, but its row is there" for key in gone & rows.keys()]
    for key, one in ledger.live_documents().items():
        row = rows.get(key)
        if row is None:
            wrong.append(f"{key} ({one.name}): an acknowledged upload is lost")
        elif (row["status"], row["outcome"]) != ("processed", "ok"):
            state = (row["status"], row["outcome"], row["error"], row["attempts"])
            wrong.append(f"{key} ({one.name}): {state}")
        elif one.page_count not in (None, row["page_count"]):
            wrong.append(f"{key} ({one.name}): {row['page_count']} pages of {one.page_count}")
    engines = {*select_engine_ids(database)}
    wrong += [f"{key}: deleted, but its row is there" for key in ledger.engines_deleted & engines]
    wrong += [f"{key}: an acknowledged engine is lost" for key in ledger.engines - engines]
    workflows = {row["id"] for row in select_rows(database, "SELECT id FROM workflow")}
    wrong += [
        f"{key}: an acknowledged workflow is lost"
        for key, engine_id in ledger.workflows.items()
        if engine_id in ledger.engines and key not in workflows
    ]
    return wrong


def check_database(database: Connection) -> list[str]:
    """Check that no row, table or job belongs to nothing, and no work is left."""
    statements = {
        "page without a data source": "SELECT data_source_id AS id FROM data_source_page"
        " WHERE data_source_id NOT IN (SELECT id FROM data_source)",
        "PDF whose pages in the ledger are not its pages": "SELECT id FROM data_source d"
        " WHERE file_format = 'pdf' AND outcome = 'ok' AND page_count <>"
        " (SELECT count(*) FROM data_source_page p WHERE p.data_source_id = d.id)",
        "data source still processing": "SELECT id FROM data_source WHERE status = 'processing'",
        "reading that did not end well": "SELECT id || ': ' || coalesce(error, '') AS id"
        " FROM data_source WHERE outcome IN ('failed', 'partial')",
        "job left": "SELECT id || ' ' || status AS id FROM procrastinate_jobs",
        "transactions that waited for each other": "SELECT deadlocks AS id FROM pg_stat_database"
        " WHERE datname = current_database() AND deadlocks > 0",
    }
    wrong = [
        f"{name}: {row['id']}"
        for name, statement in statements.items()
        for row in select_rows(database, statement)
    ]
    engines = {*select_engine_ids(database)}
    tables = defaultdict(set)
    tables_of_engines = "SELECT tablename FROM pg_tables WHERE tablename LIKE '%\\_kng\\_%'"
    for row in select_rows(database, tables_of_engines):
        kind, _, engine_id = row["tablename"].partition("_kng_")
        tables[kind].add(f"kng_{engine_id}")
    for kind in ("data", "lexical_counts", "lexical_spans", "lexical_runs"):
        wrong += [f"table {kind} without an engine: {one}" for one in tables[kind] - engines]
        wrong += [f"engine without a table {kind}: {one}" for one in engines - tables[kind]]
    return wrong


def check_chunks(database: Connection, engine_id: str) -> list[str]:
    """Check that each data source of an engine has all of its chunks and postings, or none.

    While it is embedded its chunks may lack their vectors; once it is processed none does.
    """
    data_sources = """
        SELECT coalesce(d.id, c.id, s.id) AS id, d.status, coalesce(d.chunk_count, 0) AS due,
               coalesce(c.count, 0) AS chunks, coalesce(c.distinct_count, 0) AS distinct_chunks,
               coalesce(c.bare_count, 0) AS without_vector, coalesce(s.count, 0) AS in_spans
        FROM (SELECT * FROM data_source WHERE knowledge_engine_id = {engine_id}) d
        FULL JOIN (SELECT metadata_->>'ref_doc_id' AS id, count(*),
                          count(DISTINCT node_id) AS distinct_count,
                          count(*) FILTER (WHERE embedding IS NULL) AS bare_count
                   FROM {chunks} GROUP BY 1) c
             ON c.id = d.id
        FULL JOIN (SELECT data_source_id AS id, sum(chunk_count) AS count FROM {spans} GROUP BY 1) s
             ON s.id = coalesce(d.id, c.id)
    """
    half_segments = """
        SELECT coalesce(s.segment_id, r.segment_id) AS id
        FROM (SELECT DISTINCT segment_id FROM {spans}) s
        FULL JOIN (SELECT segment_id, min(length(postings)) AS least FROM {runs} GROUP BY 1) r
             ON r.segment_id = s.segment_id
        WHERE s.segment_id IS NULL OR r.segment_id IS NULL OR r.least = 0
    """
    wrong_counts = """
        SELECT coalesce(s.segment_id, c.segment_id) AS id
        FROM (SELECT segment_id, count(*) AS spans, sum(chunk_count) AS chunks,
                     sum(token_count) AS tokens, max(first_chunk + chunk_count) AS extent
              FROM {spans} GROUP BY 1) s
        FULL JOIN {counts} c ON c.segment_id = s.segment_id
        WHERE (s.spans, s.chunks, s.tokens) IS DISTINCT FROM
              (c.span_count, c.chunk_count, c.token_count) OR s.extent > c.extent
    """
    names = {
        "engine_id": sql.Literal(engine_id),
        "chunks": sql.Identifier(f"data_{engine_id}"),
        "spans": sql.Identifier(f"lexical_spans_{engine_id}"),
        "runs": sql.Identifier(f"lexical_runs_{engine_id}"),
        "counts": sql.Identifier(f"lexical_counts_{engine_id}"),
    }
    wrong = []
    for row in database.execute(sql.SQL(data_sources).format(**names)).fetchall():
        if len({row["chunks"], row["distinct_chunks"], row["in_spans"], row["due"]}) > 1:
            wrong.append(f"chunks and spans do not fit: {engine_id} {row}")
        if row["status"] == "processed" and row["without_vector"]:
            wrong.append(f"chunks without a vector: {engine_id} {row}")
    for row in database.execute(sql.SQL(half_segments).format(**names)).fetchall():
        wrong.append(f"spans and postings do not fit: {engine_id}, segment {row['id']}")
    for row in database.execute(sql.SQL(wrong_counts).format(**names)).fetchall():
        wrong.append(f"spans and their counts do not fit: {engine_id}, segment {row['id']}")
    return wrong


def check_files(database: Connection, data_dir: Path) -> list[str]:
    """Check that each stored file is claimed, or noted as unclaimed, and no copy lies about."""
    folder = data_dir / "files"
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    claims = select_rows(database, "SELECT blob_key AS key FROM data_source")
    claimed = {row["key"] for row in claims}
    noted = {row["key"] for row in select_rows(database, "SELECT key FROM unclaimed_file")}
    wrong = [f"stored file that nothing claims: {key}" for key in files - claimed - noted]
    wrong += [f"data source without its file: {key}" for key in claimed - files]
    copies = (path for path in (data_dir / "work").rglob("*") if path.is_file())
    return wrong + [f"working copy left: {path}" for path in copies]


def select_engine_ids(database: Connection) -> list[str]:
    """Return the ids of all engines."""
    rows = select_rows(database, "SELECT id FROM knowledge_engine ORDER BY id")
    return [row["id"] for row in rows]


def select_rows(database: Connection, statement: str) -> list[dict[str, Any]]:
    """Return what a statement without parameters selects."""
    return database.execute(statement.encode()).fetchall()
