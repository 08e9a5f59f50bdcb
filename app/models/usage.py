"""What an account has used: added up over its questions and extractions."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, Date, Float, Select, cast, func, literal, select, union_all
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from app.models.tool_run import ToolRun
from app.models.workflow import Workflow


@dataclass(frozen=True, slots=True)
class DayUsage:
    """What one model was used for on one day (UTC)."""

    day: date
    model: str
    questions: int
    extractions: int
    prompt_tokens: int
    completion_tokens: int
    price_usd: float  # of those whose price is known
    unpriced: int  # how many have a price that nobody knows


async def select_usage(session: AsyncSession, account_id: int, since: datetime) -> list[DayUsage]:
    """Return what was used since a moment, the newest day first."""
    parts = union_all(
        _rows(Workflow, Workflow.resolved_model, account_id, since, is_question=1),
        _rows(ToolRun, ToolRun.model_used, account_id, since, is_question=0),
    ).subquery()
    statement = (
        select(
            parts.c.day,
            parts.c.model,
            func.sum(parts.c.is_question),
            func.sum(1 - parts.c.is_question),
            cast(func.coalesce(func.sum(parts.c.prompt_tokens), 0), BigInteger),
            cast(func.coalesce(func.sum(parts.c.completion_tokens), 0), BigInteger),
            func.coalesce(func.sum(parts.c.price_usd), 0.0),
            func.count().filter(parts.c.price_usd.is_(None)),
        )
        .group_by(parts.c.day, parts.c.model)
        .order_by(parts.c.day.desc(), parts.c.model)
    )
    connection = await session.connection()
    return [DayUsage(*row) for row in await connection.execute(statement)]


def _rows(
    table: Any, model: Any, account_id: int, since: datetime, *, is_question: int
) -> Select[Any]:
    """Return the statement for a row of each question, or of each extraction."""
    usage = col(table.usage)
    return select(
        cast(func.timezone("UTC", table.created_at), Date).label("day"),
        func.coalesce(model, "").label("model"),
        literal(is_question).label("is_question"),
        cast(usage["prompt_tokens"].astext, BigInteger).label("prompt_tokens"),
        cast(usage["completion_tokens"].astext, BigInteger).label("completion_tokens"),
        cast(usage["price_usd"].astext, Float).label("price_usd"),
    ).where(table.account_id == account_id, table.created_at >= since)
