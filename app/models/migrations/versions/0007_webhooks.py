"""Where accounts are told of what has finished, and each attempt to tell them."""

from datetime import datetime

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def _moment(name: str, *, nullable: bool = False) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "webhook",
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
            nullable=True,
            index=True,
        ),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("events", JSONB(), nullable=False),
        sa.Column("description", sa.String(), nullable=False),
        sa.Column("disabled", sa.Boolean(), nullable=False),
        _moment("created_at"),
    )
    op.create_table(
        "webhook_delivery",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column(
            "webhook_id",
            sa.String(),
            sa.ForeignKey("webhook.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("payload", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("last_status_code", sa.Integer(), nullable=True),
        sa.Column("last_error", sa.String(), nullable=True),
        _moment("last_attempt_at", nullable=True),
        _moment("next_attempt_at", nullable=True),
        _moment("created_at"),
    )
    op.create_index(
        "webhook_delivery_newest", "webhook_delivery", ["webhook_id", "created_at", "id"]
    )
    op.create_index(
        "webhook_delivery_due",
        "webhook_delivery",
        ["next_attempt_at"],
        postgresql_where=sa.text("status = 'pending'"),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("webhook_delivery")
    op.drop_table("webhook")
