"""The second wall between accounts: the rows themselves know whose they are.

The policies name no role, so they can be made, dumped and restored where there is none. They do not
bind the owner of the tables; `app/tenancy.py` lets requests act as another role.
"""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_CALLER = "current_setting('ke.account_id', true)::int"

_OF_ACCOUNT = (
    "api_key",
    "audit_entry",
    "console_session",
    "context",
    "data_source",
    "deletion_receipt",
    "idempotent_request",
    "knowledge_engine",
    "owner",
    "sign_in_link",
    "stream",
    "tool_run",
    "webhook",
    "workflow",
)

_OF_ENGINE = (
    "api_key",
    "context",
    "data_source",
    "idempotent_request",
    "stream",
    "tool_run",
    "webhook",
    "workflow",
)

_PARTS = {
    "data_source_page": "data_source",
    "stream_part": "stream",
    "webhook_delivery": "webhook",
}
"""What belongs to the account of another row."""

# It sees the engines of all accounts.
_ACCOUNT_OF_ENGINE = """
    CREATE FUNCTION account_of_engine(engine_id text) RETURNS int
    LANGUAGE sql STABLE SECURITY DEFINER
    BEGIN ATOMIC
        SELECT account_id FROM knowledge_engine WHERE id = engine_id;
    END
"""


def upgrade() -> None:
    """Make a policy for each table that has rows of accounts."""
    _make_policy("account", f"id = {_CALLER}")
    for table in _OF_ACCOUNT:
        _make_policy(table, f"account_id = {_CALLER}")
    op.execute(_ACCOUNT_OF_ENGINE)
    for table in _OF_ENGINE:
        # Nor can a row of one's own be put into the engine of another account. An engine that is
        # not there is left to the foreign key, whose error says so.
        op.execute(
            f"ALTER POLICY of_account ON {table} WITH CHECK (account_id = {_CALLER}"
            " AND coalesce(account_of_engine(knowledge_engine_id), account_id) = account_id)"
        )
    # What a policy looks into is itself under one.
    for table, whole in _PARTS.items():
        _make_policy(table, f"EXISTS (SELECT FROM {whole} WHERE id = {table}.{whole}_id)")


def downgrade() -> None:
    """Drop them."""
    for table in ("account", *_OF_ACCOUNT, *_PARTS):
        op.execute(f"DROP POLICY of_account ON {table}")
        op.execute(f"ALTER TABLE {table} DISABLE ROW LEVEL SECURITY")
    op.execute("DROP FUNCTION account_of_engine")


def _make_policy(table: str, condition: str) -> None:
    op.execute(f"CREATE POLICY of_account ON {table} USING ({condition})")
    op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
