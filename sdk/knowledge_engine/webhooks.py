"""`client.webhooks`: addresses that are told when a data source or a tool run has finished."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import TypedDict, Unpack

from knowledge_engine.calls import Call, ListPage, listing, path, reading
from knowledge_engine.models import CreatedWebhook, Deleted, Webhook, WebhookDelivery
from knowledge_engine.transport import AsyncTransport, Transport

_WEBHOOKS = "webhooks"


class WebhookFields(TypedDict, total=False):
    """What can be said of a webhook beside its address and its events."""

    knowledge_engine_id: str  # only what is of this engine; of all if left out
    description: str


class WebhookChanges(TypedDict, total=False):
    """What can be changed of a webhook; `events` are replaced whole."""

    url: str
    events: Sequence[str]
    description: str
    disabled: bool


class Webhooks:
    """The webhooks of an account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self, url: str, events: Sequence[str], **fields: Unpack[WebhookFields]
    ) -> CreatedWebhook:
        """Create a webhook; the secret of its signatures is shown this once."""
        return self._transport.send(_create(url, events, fields))

    def get(self, webhook_id: str) -> Webhook:
        """Return a webhook."""
        return self._transport.send(_get(webhook_id))

    def update(self, webhook_id: str, **changes: Unpack[WebhookChanges]) -> Webhook:
        """Change a webhook; what is left out stays as it is."""
        return self._transport.send(_update(webhook_id, changes))

    def delete(self, webhook_id: str) -> Deleted:
        """Delete a webhook with its deliveries."""
        return self._transport.send(_delete(webhook_id))

    def deliveries(self, webhook_id: str, *, page_size: int = 100) -> Iterator[WebhookDelivery]:
        """Yield what a webhook was told, or is to be told, newest first."""
        return self._transport.items(_deliveries(webhook_id, page_size))

    def replay(self, webhook_id: str, delivery_id: str) -> WebhookDelivery:
        """Have an event delivered once more, whatever came of it before."""
        return self._transport.send(_replay(webhook_id, delivery_id))

    def list(self, *, page_size: int = 100) -> Iterator[Webhook]:
        """Yield the webhooks, oldest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size))


class AsyncWebhooks:
    """The webhooks of an account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self, url: str, events: Sequence[str], **fields: Unpack[WebhookFields]
    ) -> CreatedWebhook:
        """Create a webhook; the secret of its signatures is shown this once."""
        return await self._transport.send(_create(url, events, fields))

    async def get(self, webhook_id: str) -> Webhook:
        """Return a webhook."""
        return await self._transport.send(_get(webhook_id))

    async def update(self, webhook_id: str, **changes: Unpack[WebhookChanges]) -> Webhook:
        """Change a webhook; what is left out stays as it is."""
        return await self._transport.send(_update(webhook_id, changes))

    async def delete(self, webhook_id: str) -> Deleted:
        """Delete a webhook with its deliveries."""
        return await self._transport.send(_delete(webhook_id))

    def deliveries(
        self, webhook_id: str, *, page_size: int = 100
    ) -> AsyncIterator[WebhookDelivery]:
        """Yield what a webhook was told, or is to be told, newest first."""
        return self._transport.items(_deliveries(webhook_id, page_size))

    async def replay(self, webhook_id: str, delivery_id: str) -> WebhookDelivery:
        """Have an event delivered once more, whatever came of it before."""
        return await self._transport.send(_replay(webhook_id, delivery_id))

    def list(self, *, page_size: int = 100) -> AsyncIterator[Webhook]:
        """Yield the webhooks, oldest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size))


def _create(url: str, events: Sequence[str], fields: WebhookFields) -> Call[CreatedWebhook]:
    body = {"url": url, "events": events, **fields}
    return Call("POST", path(_WEBHOOKS), reading(CreatedWebhook), is_repeatable=False, json=body)


def _get(webhook_id: str) -> Call[Webhook]:
    return Call("GET", path(_WEBHOOKS, webhook_id), reading(Webhook))


def _update(webhook_id: str, changes: WebhookChanges) -> Call[Webhook]:
    return Call("PUT", path(_WEBHOOKS, webhook_id), reading(Webhook), json={**changes})


def _delete(webhook_id: str) -> Call[Deleted]:
    return Call("DELETE", path(_WEBHOOKS, webhook_id), reading(Deleted))


def _deliveries(webhook_id: str, page_size: int) -> Call[ListPage[WebhookDelivery]]:
    return listing(WebhookDelivery, path(_WEBHOOKS, webhook_id, "deliveries"), page_size)


def _replay(webhook_id: str, delivery_id: str) -> Call[WebhookDelivery]:
    address = path(_WEBHOOKS, webhook_id, "deliveries", delivery_id, "replay")
    return Call("POST", address, reading(WebhookDelivery), is_repeatable=False)


def _list(page_size: int) -> Call[ListPage[Webhook]]:
    return listing(Webhook, path(_WEBHOOKS), page_size)
