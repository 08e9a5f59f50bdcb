"""What belongs to the request in hand: the services, and who calls."""

from quart import current_app, g

from app.models.account import Account
from app.models.api_key import ApiKey
from app.services import Services


def get_services() -> Services:
    """Return the services of the application that handles this request."""
    services: Services = current_app.extensions["services"]
    return services


def current_account() -> Account:
    """Return the account whose key this request carries, or whose owner is signed in."""
    account: Account = g.account
    return account


def current_key() -> ApiKey | None:
    """Return the key that this request carries; None for the console."""
    api_key: ApiKey | None = g.get("api_key")
    return api_key


def current_key_id() -> int | None:
    """Return the number of the key that this request carries; None for the console."""
    api_key = current_key()
    return None if api_key is None else api_key.id
