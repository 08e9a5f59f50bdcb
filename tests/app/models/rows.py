"""Rows as the tests of the tables need them."""

from typing import Any

from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.account import insert_account
from app.models.data_source import DataSource
from app.models.knowledge_engine import KnowledgeEngine, insert_knowledge_engine
from app.models.workflow import Workflow


async def new_engine(session: AsyncSession, engine_id: str) -> int:
    """Store an engine of an account of its own; return the number of the account."""
    account = await insert_account(session, "owner")
    assert account.id is not None
    engine = KnowledgeEngine(id=engine_id, account_id=account.id, name="Leases")
    await insert_knowledge_engine(session, engine)
    return account.id


def data_source(account_id: int, engine_id: str, number: int, **fields: Any) -> DataSource:
    values: dict[str, Any] = {
        "id": f"ds_{number}",
        "account_id": account_id,
        "knowledge_engine_id": engine_id,
        "name": f"Lease {number}",
        "file_name": "lease.pdf",
        "file_format": "pdf",
        "size_bytes": 1,
        "sha256": f"digest {number}",
        "blob_key": f"{engine_id}/ds_{number}",
    }
    return DataSource(**(values | fields))


def workflow(account_id: int, engine_id: str, number: int, **fields: Any) -> Workflow:
    values: dict[str, Any] = {
        "id": f"wfl_{number}",
        "account_id": account_id,
        "knowledge_engine_id": engine_id,
        "context_id": "ctx_1",
        "name": "n",
        "query": "When?",
        "response": "In March.",
        "model": "auto",
        "resolved_model": "delta-4.1",
        "routing_reason": "",
    }
    return Workflow(**(values | fields))
