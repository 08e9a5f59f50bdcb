"""Lists a page at a time: `limit` rows `after` the row with a given id."""

from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import tuple_
from sqlmodel import SQLModel, col
from sqlmodel.sql.expression import SelectOfScalar

Row = TypeVar("Row", bound=SQLModel)


@dataclass(frozen=True, slots=True)
class PageRequest:
    """Which part of a list a client asked for; without a limit, all of it."""

    limit: int | None = None
    after: str | None = None
    newest_first: bool = False


def one_page(statement: SelectOfScalar[Row], table: Any, page: PageRequest) -> SelectOfScalar[Row]:
    """Order a list by time of creation and cut one page out of it.

    `after` counts only where it is itself in the list, so an id of somebody else's tells nothing.
    """
    place = tuple_(col(table.created_at), col(table.id))
    if page.after is not None:
        last_seen = (
            statement.where(table.id == page.after)
            .with_only_columns(table.created_at, table.id)
            .scalar_subquery()
        )
        statement = statement.where(place < last_seen if page.newest_first else place > last_seen)
    if page.newest_first:
        statement = statement.order_by(col(table.created_at).desc(), col(table.id).desc())
    else:
        statement = statement.order_by(col(table.created_at), col(table.id))
    return statement.limit(page.limit)
