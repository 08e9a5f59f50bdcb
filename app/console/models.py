"""The page of the models: what stands behind each, and switching one off for the account."""

from quart import Blueprint, render_template, request

from app.access import account_id
from app.audit import record
from app.console import snippets
from app.console.model_choices import ModelChoice, model_choices
from app.current import current_account, get_services
from app.models.account import Account, update_disabled
from app.models.audit_entry import Action
from config.errors import ModelNotSupported

blueprint = Blueprint("models", __name__)


@blueprint.get("/models")
async def list_models() -> str:
    """Show all models."""
    choices = model_choices(get_services(), current_account())
    usable = [choice for choice in choices if choice.is_usable]
    example = usable[0].model.identifier if usable else "auto"
    body = {"query": "Which notice period holds?", "name": "Notice", "model": example}
    return await render_template(
        "models.html",
        choices=choices,
        usable=len(usable),
        snippet=snippets.query("kng_…", body),
    )


@blueprint.post("/models/<identifier>")
async def switch_model(identifier: str) -> str:
    """Switch a model off for the account, or on again."""
    is_on = (await request.form).get("is_on") == "yes"
    services = get_services()
    if identifier not in services.models.models:
        raise ModelNotSupported(identifier)
    async with services.database.transaction() as session:
        account = await update_disabled(session, account_id(), identifier, is_disabled=not is_on)
        action = Action.MODEL_SWITCHED_ON if is_on else Action.MODEL_SWITCHED_OFF
        await record(session, action, identifier)
    return await render_template("_model.html", choice=_choice(account, identifier))


def _choice(account: Account, identifier: str) -> ModelChoice:
    choices = model_choices(get_services(), account)
    return next(choice for choice in choices if choice.model.identifier == identifier)
