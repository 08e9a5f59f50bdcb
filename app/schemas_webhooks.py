"""Webhooks as they enter and leave over HTTP."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, StringConstraints
from pydantic_core import PydanticCustomError

from app.models.webhook import EventType, Webhook
from app.models.webhook_delivery import WebhookDelivery
from app.schemas import RequestBody

URL_LENGTH = 2000
"""The most characters that the address of a webhook may have."""

DESCRIPTION_LENGTH = 5000
"""The most characters that the description of a webhook may have."""


def _each_once(events: list[EventType]) -> list[EventType]:
    if len(set(events)) < len(events):
        raise PydanticCustomError("unique", "an event is named twice")
    return events


Url = Annotated[str, StringConstraints(min_length=1, max_length=URL_LENGTH)]
Events = Annotated[
    list[Annotated[EventType, Field(strict=False)]],
    Field(min_length=1),
    AfterValidator(_each_once),
]
Description = Annotated[str, StringConstraints(max_length=DESCRIPTION_LENGTH)]


class WebhookRequest(RequestBody):
    """A new webhook; without an engine it is told of all."""

    url: Url
    events: Events
    knowledge_engine_id: str | None = None
    description: Description = ""


class WebhookUpdate(RequestBody):
    """Changes to a webhook; what is left out stays as it is."""

    url: Url | None = None
    events: Events | None = None
    description: Description | None = None
    disabled: bool | None = None


class WebhookResponse(BaseModel):
    """A webhook."""

    id: str
    url: str
    events: list[EventType]
    knowledge_engine_id: str | None
    description: str
    disabled: bool
    created_at: int

    @classmethod
    def from_webhook(cls, webhook: Webhook) -> "WebhookResponse":
        return cls(**_fields(webhook))


class WebhookCreated(WebhookResponse):
    """A new webhook, with the secret of its signatures, which is not shown again."""

    secret: str

    @classmethod
    def with_secret(cls, webhook: Webhook, secret: str) -> "WebhookCreated":
        return cls(**_fields(webhook), secret=secret)


class DeliveryResponse(BaseModel):
    """An event that a webhook is told of, and how far that is."""

    id: str
    event: EventType
    status: str
    attempts: int
    last_status_code: int | None
    last_error: str | None
    last_attempt_at: int | None
    next_attempt_at: int | None
    created_at: int

    @classmethod
    def from_delivery(cls, delivery: WebhookDelivery) -> "DeliveryResponse":
        return cls(
            id=delivery.id,
            event=EventType(delivery.event),
            status=delivery.status,
            attempts=delivery.attempts,
            last_status_code=delivery.last_status_code,
            last_error=delivery.last_error,
            last_attempt_at=_seconds(delivery.last_attempt_at),
            next_attempt_at=_seconds(delivery.next_attempt_at),
            created_at=int(delivery.created_at.timestamp()),
        )


def _fields(webhook: Webhook) -> dict[str, Any]:
    return webhook.model_dump(exclude={"account_id", "created_at"}) | {
        "created_at": int(webhook.created_at.timestamp())
    }


def _seconds(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp())
