"""Column definitions that several tables share."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime
from sqlmodel import Field


def created_at_field() -> Any:
    """Return the column that keeps when a row was made, to the microsecond."""
    return Field(
        default_factory=lambda: datetime.now(UTC),
        sa_type=DateTime(timezone=True),
        nullable=False,
    )
