"""What the console needs: the owner's password, signed-in browsers, and when keys were used."""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def _moment(name: str, *, nullable: bool = False) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _account(*, primary_key: bool = False) -> sa.Column[int]:
    reference = sa.ForeignKey("account.id", ondelete="CASCADE")
    if primary_key:
        return sa.Column("account_id", sa.Integer(), reference, primary_key=True)
    return sa.Column("account_id", sa.Integer(), reference, nullable=False, index=True)


def upgrade() -> None:
    """Make the tables and the column."""
    op.create_table(
        "owner",
        _account(primary_key=True),
        sa.Column("password_hash", sa.String(), nullable=False),
    )
    op.create_table(
        "sign_in_link",
        sa.Column("digest", sa.LargeBinary(), primary_key=True),
        _account(),
        _moment("expires_at"),
    )
    op.create_table(
        "console_session",
        sa.Column("digest", sa.LargeBinary(), primary_key=True),
        _account(),
        _moment("created_at"),
        _moment("expires_at"),
    )
    op.create_table(
        "sign_in_attempt",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("source", sa.String(), nullable=False, index=True),
        _moment("created_at"),
    )
    op.add_column("api_key", _moment("last_used_at", nullable=True))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("api_key", "last_used_at")
    for table in ("sign_in_attempt", "console_session", "sign_in_link", "owner"):
        op.drop_table(table)
