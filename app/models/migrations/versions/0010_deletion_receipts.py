"""What was erased, signed."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "deletion_receipt",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column(
            "account_id",
            sa.Integer(),
            sa.ForeignKey("account.id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("knowledge_engine_id", sa.String(), nullable=False, index=True),
        sa.Column("content", JSONB(), nullable=False),
        sa.Column("places", JSONB(), nullable=False, server_default=sa.text("'[]'")),
        sa.Column("signature", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("deletion_receipt")
