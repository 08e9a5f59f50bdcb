"""Streamed answers, kept for some minutes so that a broken connection can be resumed."""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def _moment(name: str) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now())


def upgrade() -> None:
    """Make the tables of streams and of what was sent of each."""
    op.create_table(
        "stream",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column(
            "account_id",
            sa.Integer(),
            sa.ForeignKey("account.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column(
            "knowledge_engine_id",
            sa.String(),
            sa.ForeignKey("knowledge_engine.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column(
            "workflow_id",
            sa.String(),
            sa.ForeignKey("workflow.id", ondelete="CASCADE"),
            nullable=True,
        ),
        sa.Column("is_over", sa.Boolean(), nullable=False, server_default=sa.false()),
        _moment("recorded_at"),
        _moment("wanted_until"),
    )
    op.create_table(
        "stream_part",
        sa.Column(
            "stream_id",
            sa.String(),
            sa.ForeignKey("stream.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("last_event", sa.Integer(), nullable=False),
        sa.Column("events", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("stream_id", "last_event"),
    )
    # What is deleted takes its streams along.
    op.create_index("ix_stream_knowledge_engine_id", "stream", ["knowledge_engine_id"])
    op.create_index("ix_stream_workflow_id", "stream", ["workflow_id"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("stream_part")
    op.drop_table("stream")
