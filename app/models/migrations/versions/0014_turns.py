"""The last that waits of each engine is found at once, however many wait."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index."""
    op.execute(
        "CREATE INDEX waiting_jobs_by_knowledge_engine ON procrastinate_jobs"
        " ((args ->> 'knowledge_engine_id'), task_name, priority) WHERE status = 'todo'"
    )


def downgrade() -> None:
    """Forget it."""
    op.execute("DROP INDEX waiting_jobs_by_knowledge_engine")
