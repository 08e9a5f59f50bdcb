"""The page of what was used: questions, tokens and price by day and model."""

from datetime import UTC, datetime, timedelta

from quart import Blueprint, render_template, request

from app.access import account_id
from app.console import snippets
from app.current import get_services
from app.models.usage import select_usage

PERIODS = (7, 30, 90)
"""How many days can be looked back."""

blueprint = Blueprint("usage", __name__)


@blueprint.get("/usage")
async def show_usage() -> str:
    """Show what the account has used."""
    days = request.args.get("days", PERIODS[1], type=int)
    days = days if days in PERIODS else PERIODS[1]
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    async with get_services().database.reading() as session:
        rows = await select_usage(session, account_id(), today - timedelta(days=days - 1))
    return await render_template(
        "usage.html",
        rows=rows,
        most=max([1, *(row.questions for row in rows)]),
        days=days,
        periods=PERIODS,
        snippet=snippets.list_workflows(),
    )
