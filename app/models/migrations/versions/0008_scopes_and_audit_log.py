"""What each key may do, and who did what."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the columns and the table; the keys that are there may do all, as before."""
    op.add_column(
        "api_key", sa.Column("scope", sa.String(), nullable=False, server_default="admin")
    )
    engine = sa.ForeignKey("knowledge_engine.id", ondelete="CASCADE")
    op.add_column("api_key", sa.Column("knowledge_engine_id", sa.String(), engine, nullable=True))
    op.create_index("ix_api_key_knowledge_engine_id", "api_key", ["knowledge_engine_id"])
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column(
            "account_id",
            sa.Integer(),
            sa.ForeignKey("account.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("key_id", sa.Integer(), nullable=True),
        sa.Column("key_name", sa.String(), nullable=True),
        sa.Column("key_hint", sa.String(), nullable=True),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("resource_id", sa.String(), nullable=True),
        sa.Column("request_id", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=False),
    )
    op.create_index("audit_entry_of_account", "audit_entry", ["account_id", "created_at", "id"])
    op.create_index("audit_entry_by_age", "audit_entry", ["created_at"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("audit_entry")
    op.drop_column("api_key", "knowledge_engine_id")
    op.drop_column("api_key", "scope")
