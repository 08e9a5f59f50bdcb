"""Alembic's entry: runs the migrations on the connection that `app.database` hands over."""

from alembic import context
from sqlmodel import SQLModel

context.configure(
    connection=context.config.attributes["connection"], target_metadata=SQLModel.metadata
)
with context.begin_transaction():
    context.run_migrations()
