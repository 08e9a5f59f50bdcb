"""API keys: create, show once, see when they were used, revoke."""

import asyncio

from quart import Blueprint, render_template, request

from app.access import account_id, find_knowledge_engine
from app.api_keys import REMEMBERED_SECONDS, issue_api_key, key_hint
from app.audit import record
from app.console import snippets
from app.console.forms import parse_name, storable
from app.current import current_account, get_services
from app.models.api_key import select_api_keys, update_revoked
from app.models.audit_entry import Action
from app.models.knowledge_engine import select_knowledge_engines
from app.models.page_of_rows import PageRequest
from app.schemas import NAME_LENGTH
from app.scopes import Scope
from config.errors import InvalidRequest, NotFound

SCOPES = {
    Scope.READ: "read and ask",
    Scope.WRITE: "also upload, change and delete documents",
    Scope.ADMIN: "everything",
}
"""What a key of each scope may do, for people."""

blueprint = Blueprint("keys", __name__)


@blueprint.get("/keys")
async def list_keys() -> str:
    """Show the keys of the account, newest first."""
    return await _keys("keys.html")


@blueprint.post("/keys")
async def create_key() -> str:
    """Make a key, and show it this once."""
    form = await request.form
    name = parse_name(form.get("name", ""), NAME_LENGTH)
    storable({"name": name})
    scope = _parse_scope(form.get("scope", Scope.ADMIN))
    given_engine = form.get("engine")
    async with get_services().database.transaction() as session:
        engine_id = None
        if given_engine:
            engine_id = (await find_knowledge_engine(session, given_engine)).id
        key = await issue_api_key(
            session, current_account(), name, scope=scope, engine_id=engine_id
        )
        await record(session, Action.KEY_CREATED, key_hint(key))
    return await _keys("_keys.html", new_key=key, new_name=name)


@blueprint.delete("/keys/<int(max=2147483647):number>")
async def revoke_key(number: int) -> str:
    """Revoke a key; when it is answered, no process remembers the key any longer."""
    async with get_services().database.transaction() as session:
        revoked = await update_revoked(session, number, account_id())
        if revoked is None:
            raise NotFound("key")
        await record(session, Action.KEY_REVOKED, revoked.hint)
    await asyncio.sleep(REMEMBERED_SECONDS)
    return await _keys("_keys.html")


def _parse_scope(text: str) -> Scope:
    if text not in SCOPES:
        raise InvalidRequest("Choose what the key may do.")
    return Scope(text)


async def _keys(template: str, **values: str) -> str:
    async with get_services().database.reading() as session:
        keys = await select_api_keys(session, account_id())
        engines = await select_knowledge_engines(session, account_id(), PageRequest())
    return await render_template(
        template,
        keys=keys[::-1],
        engines={engine.id: engine.name for engine in engines},
        scopes=SCOPES,
        longest_name=NAME_LENGTH,
        snippet=snippets.list_engines(),
        **values,
    )
