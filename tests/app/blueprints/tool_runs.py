"""Requests for tool runs, and what the tables have of them."""

from typing import Any

from sqlalchemy import text

from app.services import Services

TENANT = {"field_name": "Tenant", "description": "name of the tenant", "type": "text"}
RENT = {"field_name": "Yearly rent", "description": "the yearly rent", "type": "currency"}


def a_tool(engine: str, source: str, *fields: dict[str, Any], **changes: Any) -> dict[str, Any]:
    tool = {
        "type": "extract_fields_from_data_sources",
        "model": "gamma-1.5-pro",
        "knowledge_engine_id": engine,
        "tagged_data_sources": [{"id": source}],
        "fields": list(fields) or [TENANT, RENT],
    }
    return {key: value for key, value in (tool | changes).items() if value is not None}


def tagged(source: str, page_range: str | None = None) -> dict[str, Any]:
    return {"id": source, "page_range": page_range} if page_range else {"id": source}


async def jobs(services: Services) -> list[str]:
    """Return the queue of every job that waits for an extraction."""
    statement = "SELECT queue_name FROM procrastinate_jobs WHERE task_name <> 'read_data_source'"
    async with services.database.engine.connect() as connection:
        return list((await connection.execute(text(statement))).scalars())


async def execute(services: Services, statement: str) -> None:
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(statement))
