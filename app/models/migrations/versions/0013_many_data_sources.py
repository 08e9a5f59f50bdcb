"""For engines with very many data sources, and accounts with very many answers.

What the segments of a keyword index come to stands beside them, so that a search need not add up
their spans; and lists are read in their order.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

_SPANS = "lexical_spans_"

# With the names and types of indexing/lexical_tables.py.
_COUNT = """
    CREATE TABLE %1$I (
        segment_id integer PRIMARY KEY,
        stamp bigint NOT NULL DEFAULT (random() * 9e18)::int8,
        language text NOT NULL,
        extent integer NOT NULL,
        span_count integer NOT NULL,
        chunk_count integer NOT NULL,
        token_count bigint NOT NULL
    );
    INSERT INTO %1$I (segment_id, language, extent, span_count, chunk_count, token_count)
    SELECT segment_id, min(language), max(first_chunk + chunk_count), count(*), sum(chunk_count),
           sum(token_count)
    FROM %2$I GROUP BY segment_id;
    CREATE INDEX %3$I ON %2$I (segment_id);
    ALTER TABLE %2$I ADD FOREIGN KEY (segment_id) REFERENCES %1$I
"""

_FOR_EACH_ENGINE = """
    DO $do$
    DECLARE engine text;
    BEGIN
        FOR engine IN
            SELECT substr(tablename, {start}) FROM pg_tables
            WHERE schemaname = current_schema() AND starts_with(tablename, '{spans}')
        LOOP
            EXECUTE format($sql${statements}$sql$,
                'lexical_counts_' || engine, '{spans}' || engine, 'lexical_span_segments_' || engine
            );
        END LOOP;
    END
    $do$
"""


_LISTS = (
    ("data_source", "knowledge_engine_id"),
    ("tool_run", "account_id"),
    ("tool_run", "knowledge_engine_id"),
    ("workflow", "account_id"),
    ("workflow", "knowledge_engine_id"),
)
"""Tables that are listed by the time of their rows, and of what."""


def upgrade() -> None:
    """Count the segments of every engine, and make the indexes."""
    _do_for_each_engine(_COUNT)
    for table, owner in _LISTS:
        op.create_index(f"{table}_by_{owner}", table, [owner, "created_at", "id"])
        op.drop_index(f"ix_{table}_{owner}", table)
    op.create_index(
        "data_source_processing",
        "data_source",
        ["knowledge_engine_id"],
        postgresql_where=sa.text("status = 'processing'"),
    )


def downgrade() -> None:
    """Forget the counts, and make the indexes of before."""
    op.drop_index("data_source_processing", "data_source")
    for table, owner in _LISTS:
        op.create_index(f"ix_{table}_{owner}", table, [owner])
        op.drop_index(f"{table}_by_{owner}", table)
    _do_for_each_engine("DROP TABLE %1$I CASCADE; DROP INDEX %3$I")


def _do_for_each_engine(statements: str) -> None:
    op.execute(_FOR_EACH_ENGINE.format(spans=_SPANS, start=len(_SPANS) + 1, statements=statements))
