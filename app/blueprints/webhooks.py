"""Webhooks: be told when a data source or a tool run has finished."""

from quart import Blueprint, Response
from quart_schema import (
    document_querystring,
    document_request,
    document_response,
    tag_blueprint,
)
from sqlmodel.ext.asyncio.session import AsyncSession

from app import ids
from app.access import account_id, find_knowledge_engine
from app.audit import record
from app.current import get_services
from app.idempotency import KeyedRequest, id_for, idempotent, keyed_request
from app.models.audit_entry import Action
from app.models.knowledge_engine import hold_engine
from app.models.webhook import (
    Webhook,
    count_webhooks,
    delete_webhook,
    insert_webhook,
    select_webhook,
    select_webhooks,
)
from app.models.webhook_delivery import (
    WebhookDelivery,
    replay,
    select_deliveries,
    select_delivery_to_replay,
)
from app.request_body import parse_json, parse_page
from app.responses import answered, created, json_response, listed
from app.schemas import Deleted, ErrorResponse, ListParameters
from app.schemas_webhooks import (
    DeliveryResponse,
    WebhookCreated,
    WebhookRequest,
    WebhookResponse,
    WebhookUpdate,
)
from app.webhooks.delivering import utc_now
from app.webhooks.signing import signing_secret
from config.errors import InvalidRequest, NotFound

MAX_WEBHOOKS = 50
"""The most webhooks that one account may have: each event is stored once for each."""

blueprint = Blueprint("webhooks", __name__, url_prefix="/api/v1/webhooks")
tag_blueprint(blueprint, ["Webhooks"])


async def _create_again(keyed: KeyedRequest) -> Response:
    body = await parse_json(WebhookRequest)
    async with keyed.services.database.transaction() as session:
        webhook = await _find_webhook(session, keyed.id_of(ids.WEBHOOK))
        secret = await signing_secret(session, webhook.id)
    # As it was created; it may have been changed since.
    created_so = body.model_dump(exclude={"knowledge_engine_id"}) | {"disabled": False}
    return _created(webhook.model_copy(update=created_so), secret)


@blueprint.post("")
@document_request(WebhookRequest)
@document_response(WebhookCreated, 201)
@document_response(ErrorResponse, 400)
@idempotent(_create_again)
async def create_webhook() -> Response:
    """Create a webhook; the secret of its signatures is shown this once."""
    body = await parse_json(WebhookRequest)
    services = get_services()
    services.outbound.check(body.url)
    webhook = Webhook(id=id_for(ids.WEBHOOK), account_id=account_id(), **body.model_dump())
    async with services.database.transaction() as session:
        await _check_reference_and_number(session, webhook)
        await insert_webhook(session, webhook)
        await record(session, Action.WEBHOOK_CREATED, webhook.id)
        secret = await signing_secret(session, webhook.id)
    return _created(webhook, secret)


@blueprint.get("")
@document_querystring(ListParameters)
@document_response(list[WebhookResponse])
async def list_webhooks() -> Response:
    """List the webhooks of the account, oldest first."""
    page = parse_page()
    async with get_services().database.transaction() as session:
        webhooks = await select_webhooks(session, account_id(), page)
    items = [WebhookResponse.from_webhook(one) for one in webhooks]
    return listed(items, [one.id for one in webhooks], page)


@blueprint.get("/<webhook_id>")
@document_response(WebhookResponse)
@document_response(ErrorResponse, 404)
async def get_webhook(webhook_id: str) -> Response:
    """Return a webhook."""
    async with get_services().database.transaction() as session:
        webhook = await _find_webhook(session, webhook_id)
    return answered(WebhookResponse.from_webhook(webhook))


@blueprint.put("/<webhook_id>")
@document_request(WebhookUpdate)
@document_response(WebhookResponse)
@document_response(ErrorResponse, 400)
@document_response(ErrorResponse, 404)
async def update_webhook(webhook_id: str) -> Response:
    """Change a webhook; what is left out stays as it is, `events` are replaced whole."""
    body = await parse_json(WebhookUpdate)
    services = get_services()
    if body.url is not None:
        services.outbound.check(body.url)
    async with services.database.transaction() as session:
        webhook = await _find_webhook(session, webhook_id, for_update=True)
        for name, value in body.model_dump(exclude_unset=True).items():
            setattr(webhook, name, value)
        await record(session, Action.WEBHOOK_CHANGED, webhook.id)
    return answered(WebhookResponse.from_webhook(webhook))


@blueprint.delete("/<webhook_id>")
@document_response(Deleted)
@document_response(ErrorResponse, 404)
async def delete_one(webhook_id: str) -> Response:
    """Delete a webhook with its deliveries."""
    async with get_services().database.transaction() as session:
        webhook = await _find_webhook(session, webhook_id, for_update=True)
        await delete_webhook(session, webhook)
        await record(session, Action.WEBHOOK_DELETED, webhook.id)
    return answered(Deleted(id=webhook.id), exclude_none=True)


@blueprint.get("/<webhook_id>/deliveries")
@document_querystring(ListParameters)
@document_response(list[DeliveryResponse])
@document_response(ErrorResponse, 404)
async def list_deliveries(webhook_id: str) -> Response:
    """List what a webhook was told, or is to be told, newest first."""
    page = parse_page(newest_first=True)
    async with get_services().database.transaction() as session:
        webhook = await _find_webhook(session, webhook_id)
        deliveries = await select_deliveries(session, webhook.id, page)
    items = [DeliveryResponse.from_delivery(one) for one in deliveries]
    return listed(items, [one.id for one in deliveries], page)


async def _replay_again(keyed: KeyedRequest, **_: str) -> Response | None:
    return None if keyed.row.answer is None else json_response(keyed.row.answer)


@blueprint.post("/<webhook_id>/deliveries/<delivery_id>/replay")
@document_response(DeliveryResponse)
@document_response(ErrorResponse, 400)
@document_response(ErrorResponse, 404)
@idempotent(_replay_again)
async def replay_delivery(webhook_id: str, delivery_id: str) -> Response:
    """Deliver once more, under the same `webhook-id`, whatever came of it before."""
    async with get_services().database.transaction() as session:
        webhook = await _find_webhook(session, webhook_id)
        delivery = await _find_delivery(session, webhook, delivery_id)
        if webhook.disabled:
            raise InvalidRequest("the webhook is disabled; enable it first")
        await replay(session, delivery, utc_now())
        response = DeliveryResponse.from_delivery(delivery)
        if (keyed := keyed_request()) is not None:
            await keyed.answered(session, response.model_dump_json().encode())
    return answered(response)


def _created(webhook: Webhook, secret: str) -> Response:
    response = WebhookCreated.with_secret(webhook, secret)
    return created(response, f"{blueprint.url_prefix}/{webhook.id}")


async def _check_reference_and_number(session: AsyncSession, webhook: Webhook) -> None:
    """Raise what is wrong with a new webhook beside its form, and write its engine's id in full."""
    if webhook.knowledge_engine_id is not None:
        engine = await find_knowledge_engine(session, webhook.knowledge_engine_id, in_body=True)
        webhook.knowledge_engine_id = engine.id
        await hold_engine(session, engine.id)
    if await count_webhooks(session, webhook.account_id) >= MAX_WEBHOOKS:
        raise InvalidRequest(f"the account has {MAX_WEBHOOKS} webhooks, and can have no more")


async def _find_webhook(
    session: AsyncSession, given_id: str, *, for_update: bool = False
) -> Webhook:
    """Return the webhook; raises as `find_knowledge_engine` does."""
    webhook_id = ids.parse_id(ids.WEBHOOK, given_id)
    webhook = await select_webhook(session, account_id(), webhook_id, for_update=for_update)
    if webhook is None:
        raise NotFound(ids.WEBHOOK.noun)
    return webhook


async def _find_delivery(session: AsyncSession, webhook: Webhook, given_id: str) -> WebhookDelivery:
    """Return the delivery of this webhook; raises as `find_knowledge_engine` does."""
    delivery_id = ids.parse_id(ids.WEBHOOK_DELIVERY, given_id)
    delivery = await select_delivery_to_replay(session, webhook.id, delivery_id)
    if delivery is None:
        raise NotFound(ids.WEBHOOK_DELIVERY.noun)
    return delivery
