"""Signatures of Standard Webhooks, by which a receiver knows that it is we who speak."""

import base64
import hmac
from collections.abc import Mapping
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession
from standardwebhooks import Webhook as Signer

from app.models.service_secret import get_or_insert_secret
from app.models.webhook_delivery import WebhookDelivery

_SECRET = "webhooks"


async def signing_secret(session: AsyncSession, webhook_id: str) -> str:
    """Return what the deliveries of a webhook are signed with, `whsec_…`.

    It is made of a secret of the service and the id, so that it is stored nowhere by itself.
    """
    key = await get_or_insert_secret(session, _SECRET)
    made = hmac.digest(key.encode(), webhook_id.encode(), "sha256")
    return f"whsec_{base64.b64encode(made).decode()}"


def signed_headers(secret: str, delivery: WebhookDelivery, now: datetime) -> Mapping[str, str]:
    """Return the headers of an attempt made now (UTC); the id is that of all attempts."""
    signature = Signer(secret).sign(delivery.id, now, delivery.payload)
    return {
        "Content-Type": "application/json",
        "User-Agent": "Knowledge-Engine",
        "webhook-id": delivery.id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature,
    }
