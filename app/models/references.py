"""What a row refers to may be deleted between the moment it was found and the row's insertion."""

from collections.abc import Iterator
from contextlib import contextmanager

from psycopg.errors import ForeignKeyViolation
from sqlalchemy.exc import IntegrityError

from config.errors import ReferenceNotFound


@contextmanager
def missing_engine_told() -> Iterator[None]:
    """Tell what is raised for an engine that is gone from other errors.

    Raises:
        ReferenceNotFound: the engine was deleted a moment ago.
    """
    try:
        yield
    except IntegrityError as error:
        if isinstance(error.orig, ForeignKeyViolation):
            raise ReferenceNotFound("knowledge engine") from error
        raise
