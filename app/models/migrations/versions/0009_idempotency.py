"""What was asked with an Idempotency-Key, so that it is done once."""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def _moment(name: str) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now())


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "idempotent_request",
        sa.Column(
            "account_id",
            sa.Integer(),
            sa.ForeignKey("account.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("route", sa.String(), primary_key=True),
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False, server_default="1"),
        sa.Column("is_answered", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.Column(
            "knowledge_engine_id",
            sa.String(),
            sa.ForeignKey("knowledge_engine.id", ondelete="CASCADE"),
            nullable=True,
            index=True,
        ),
        _moment("held_until"),
        _moment("created_at"),
    )


def downgrade() -> None:
    """Drop it."""
    op.drop_table("idempotent_request")
