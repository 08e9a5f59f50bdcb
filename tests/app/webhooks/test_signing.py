import base64
from datetime import UTC, datetime

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from app.models.webhook_delivery import WebhookDelivery
from app.services import Services
from app.webhooks.signing import signed_headers, signing_secret

DELIVERY = WebhookDelivery(id="dlv_1", webhook_id="whk_1", event="e", payload='{"name": "Zoë"}')


async def secret_of(services: Services, webhook_id: str) -> str:
    async with services.database.transaction() as session:
        return await signing_secret(session, webhook_id)


async def test_secret_stays_and_is_of_one_webhook(services: Services) -> None:
    secret = await secret_of(services, "whk_1")

    assert await secret_of(services, "whk_1") == secret
    assert await secret_of(services, "whk_2") != secret


async def test_secret_has_the_form_of_standard_webhooks(services: Services) -> None:
    prefix, _, encoded = (await secret_of(services, "whk_1")).partition("_")

    assert prefix == "whsec"
    assert len(base64.b64decode(encoded, validate=True)) == 32


async def test_library_takes_the_signature(services: Services) -> None:
    secret = await secret_of(services, "whk_1")

    headers = dict(signed_headers(secret, DELIVERY, datetime.now(UTC)))

    assert headers["webhook-id"] == "dlv_1"
    assert Webhook(secret).verify(DELIVERY.payload, headers) == {"name": "Zoë"}


@pytest.mark.parametrize("changed", ["payload", "webhook-id", "webhook-timestamp"])
async def test_signature_holds_for_nothing_else(services: Services, changed: str) -> None:
    secret = await secret_of(services, "whk_1")
    now = datetime.now(UTC)
    headers = dict(signed_headers(secret, DELIVERY, now))
    others = {"webhook-id": "dlv_2", "webhook-timestamp": str(int(now.timestamp()) - 1)}
    payload = '{"name": "Zoe"}' if changed == "payload" else DELIVERY.payload

    with pytest.raises(WebhookVerificationError, match="No matching signature"):
        Webhook(secret).verify(
            payload, headers | {name: others[name] for name in others if name == changed}
        )
