"""The pages of data sources, as they were read."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; for some days the first migration made it, so it may be there."""
    op.create_table(
        "data_source_page",
        sa.Column(
            "data_source_id",
            sa.String(),
            sa.ForeignKey("data_source.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("page_number", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("read_by", sa.String(), nullable=False),
        sa.Column("words", sa.Integer(), nullable=False),
        sa.Column("tables", sa.Integer(), nullable=False),
        sa.Column("pictures", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("warning", sa.String(), nullable=False),
        sa.Column("blocks", JSONB(), nullable=False),
        sa.PrimaryKeyConstraint("data_source_id", "position"),
        if_not_exists=True,
    )


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("data_source_page")
