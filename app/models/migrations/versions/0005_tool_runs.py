"""Tool runs: fields that are extracted from data sources."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "tool_run",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column(
            "account_id",
            sa.Integer(),
            sa.ForeignKey("account.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column(
            "knowledge_engine_id",
            sa.String(),
            sa.ForeignKey("knowledge_engine.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("tool", JSONB(), nullable=False),
        sa.Column("notes", JSONB(), nullable=False, server_default=sa.text("'{}'")),
        sa.Column("stream_response", sa.Boolean(), nullable=False),
        sa.Column("async_response", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("extracted_fields", JSONB(), nullable=False, server_default=sa.text("'[]'")),
        sa.Column("model_used", sa.String(), nullable=True),
        sa.Column("usage", JSONB(), nullable=True),
        sa.Column("processing_time_ms", sa.Float(), nullable=False),
        sa.Column("error", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column(
            "heartbeat_at",
            sa.DateTime(timezone=True),
            nullable=False,
            server_default=sa.func.now(),
        ),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("tool_run")
