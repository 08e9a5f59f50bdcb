"""API keys: create, show once, see when they were used, revoke."""

import asyncio

from quart import Blueprint, render_template, request

from app.access import account_id
from app.auth import REMEMBERED_SECONDS, current_account, issue_api_key
from app.console import snippets
from app.console.forms import parse_name, storable
from app.models.api_key import select_api_keys, update_revoked
from app.schemas import NAME_LENGTH
from app.services import get_services
from config.errors import NotFound

blueprint = Blueprint("keys", __name__)


@blueprint.get("/keys")
async def list_keys() -> str:
    """Show the keys of the account, newest first."""
    return await _keys("keys.html")


@blueprint.post("/keys")
async def create_key() -> str:
    """Make a key, and show it this once."""
    name = parse_name((await request.form).get("name", ""), NAME_LENGTH)
    storable({"name": name})
    async with get_services().database.transaction() as session:
        key = await issue_api_key(session, current_account(), name)
    return await _keys("_keys.html", new_key=key, new_name=name)


@blueprint.delete("/keys/<int:number>")
async def revoke_key(number: int) -> str:
    """Revoke a key; when it is answered, no process remembers the key any longer."""
    async with get_services().database.transaction() as session:
        if not await update_revoked(session, number, account_id()):
            raise NotFound("key")
    await asyncio.sleep(REMEMBERED_SECONDS)
    return await _keys("_keys.html")


async def _keys(template: str, **values: str) -> str:
    async with get_services().database.reading() as session:
        keys = await select_api_keys(session, account_id())
    return await render_template(
        template,
        keys=keys[::-1],
        longest_name=NAME_LENGTH,
        snippet=snippets.list_engines(),
        **values,
    )
