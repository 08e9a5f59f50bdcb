"""The versions that the tables have had, as the migrations name them."""

from functools import cache
from pathlib import Path

_MIGRATIONS = Path(__file__).parent / "models" / "migrations"


@cache
def schema_revisions() -> tuple[str, ...]:
    """Return all revisions that this program knows, the oldest first."""
    from alembic.script import ScriptDirectory

    newest_first = ScriptDirectory(str(_MIGRATIONS)).walk_revisions()
    return tuple(reversed([script.revision for script in newest_first]))
