"""The first tables, and those of the queue.

The tables of an engine's index are not here: each engine makes and drops its own
(`indexing/engine_index.py`).
"""

from datetime import datetime

import sqlalchemy as sa
from alembic import op
from procrastinate.schema import SchemaManager
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_EMPTY_OBJECT = sa.text("'{}'::jsonb")
_EMPTY_ARRAY = sa.text("'[]'::jsonb")


def _moment(name: str, *, nullable: bool = False) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=nullable)


def _account_id() -> sa.Column[int]:
    return sa.Column(
        "account_id", sa.Integer(), sa.ForeignKey("account.id", ondelete="CASCADE"), nullable=False
    )


def _knowledge_engine_id() -> sa.Column[str]:
    return sa.Column(
        "knowledge_engine_id",
        sa.String(),
        sa.ForeignKey("knowledge_engine.id", ondelete="CASCADE"),
        nullable=False,
    )


def upgrade() -> None:
    """Make the tables."""
    op.execute("CREATE EXTENSION IF NOT EXISTS vector")
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), primary_key=True),
        _text("name"),
        sa.Column("disabled_models", JSONB(), server_default=_EMPTY_ARRAY, nullable=False),
        _moment("created_at"),
    )
    op.create_table(
        "api_key",
        sa.Column("id", sa.Integer(), primary_key=True),
        _account_id(),
        _text("name"),
        _text("hint"),
        sa.Column("digest", sa.LargeBinary(), nullable=False, unique=True),
        _moment("created_at"),
        _moment("revoked_at", nullable=True),
    )
    op.create_table(
        "knowledge_engine",
        sa.Column("id", sa.String(), primary_key=True),
        _account_id(),
        _text("name"),
        _text("description"),
        sa.Column("notes", JSONB(), server_default=_EMPTY_OBJECT, nullable=False),
        _moment("created_at"),
    )
    op.create_table(
        "data_source",
        sa.Column("id", sa.String(), primary_key=True),
        _account_id(),
        _knowledge_engine_id(),
        _text("name"),
        _text("type"),
        sa.Column("notes", JSONB(), server_default=_EMPTY_OBJECT, nullable=False),
        _text("file_name"),
        _text("file_format"),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        _text("sha256"),
        _text("blob_key"),
        _text("status"),
        _text("stage"),
        sa.Column("progress", sa.Float(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        _text("outcome", nullable=True),
        _text("error", nullable=True),
        sa.Column("page_count", sa.Integer(), nullable=False),
        sa.Column("chunk_count", sa.Integer(), nullable=False),
        _moment("created_at"),
        _moment("processed_at", nullable=True),
    )
    op.create_index(
        "data_source_one_of_the_same_bytes",
        "data_source",
        ["knowledge_engine_id", "sha256"],
        unique=True,
        postgresql_where=sa.text("outcome IS DISTINCT FROM 'failed'"),
    )
    op.create_table(
        "context",
        _account_id(),
        sa.Column("id", sa.String(), nullable=False),
        _knowledge_engine_id(),
        _moment("created_at"),
        sa.PrimaryKeyConstraint("account_id", "id"),
    )
    op.create_table(
        "workflow",
        sa.Column("id", sa.String(), primary_key=True),
        _account_id(),
        _knowledge_engine_id(),
        _text("context_id"),
        _text("name"),
        _text("description"),
        _text("query"),
        _text("response"),
        sa.Column("advanced_reasoning", sa.Boolean(), nullable=False),
        _text("model"),
        _text("resolved_model"),
        _text("routing_reason"),
        sa.Column("citations", JSONB(), server_default=_EMPTY_ARRAY, nullable=False),
        _text("status"),
        _text("error", nullable=True),
        _moment("created_at"),
    )
    op.create_table(
        "unclaimed_file",
        sa.Column("key", sa.String(), primary_key=True),
        _moment("created_at"),
    )
    op.create_table(
        "service_secret",
        sa.Column("name", sa.String(), primary_key=True),
        _text("value"),
    )
    for table, column in (
        ("api_key", "account_id"),
        ("api_key", "hint"),
        ("knowledge_engine", "account_id"),
        ("data_source", "account_id"),
        ("data_source", "knowledge_engine_id"),
        ("context", "knowledge_engine_id"),
        ("workflow", "account_id"),
        ("workflow", "knowledge_engine_id"),
        ("workflow", "context_id"),
    ):
        op.create_index(f"ix_{table}_{column}", table, [column])
    # The queue's own schema, as its library ships it: many statements in one text, which only
    # the driver's own cursor takes.
    op.get_bind().connection.cursor().execute(SchemaManager.get_schema())


def downgrade() -> None:
    """Nothing comes before the first tables."""
    raise NotImplementedError("the first migration cannot be undone; drop the database instead")
