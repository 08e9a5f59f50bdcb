"""What is known of an answer: how its sentences were verified, and what it cost."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; the answers of before have neither."""
    empty = sa.text("'[]'")
    op.add_column(
        "workflow", sa.Column("verification", JSONB(), nullable=False, server_default=empty)
    )
    op.add_column("workflow", sa.Column("usage", JSONB(), nullable=True))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("workflow", "usage")
    op.drop_column("workflow", "verification")
