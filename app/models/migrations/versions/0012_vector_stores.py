"""Where the vectors of each engine live, and which are on their way out of Milvus."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Say of every engine that its vectors are in PostgreSQL, and make the table."""
    op.add_column(
        "knowledge_engine",
        sa.Column("vector_store", sa.String(), nullable=False, server_default="postgres"),
    )
    op.add_column("knowledge_engine", sa.Column("moving_to", sa.String(), nullable=True))
    op.add_column(
        "knowledge_engine",
        sa.Column("moved_up_to", sa.BigInteger(), nullable=False, server_default="0"),
    )
    op.create_table(
        "unclaimed_vectors",
        sa.Column("knowledge_engine_id", sa.String(), primary_key=True),
        sa.Column("data_source_id", sa.String(), primary_key=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    """Drop both; vectors that live in Milvus are lost to the version before."""
    op.drop_table("unclaimed_vectors")
    for column in ("moved_up_to", "moving_to", "vector_store"):
        op.drop_column("knowledge_engine", column)
