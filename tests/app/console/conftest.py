import pytest
from quart import Quart

from app.services import Services
from tests.app.console.browser import Browser, signed_in
from tests.client import Client


@pytest.fixture
async def browser(app: Quart, services: Services, client: Client) -> Browser:
    """A browser that is signed in to the account of `client`."""
    return await signed_in(app, services)


@pytest.fixture
async def visitor(onlooker: Client) -> Browser:
    """A browser that is signed in to the account of `onlooker`, and does no more than that."""
    return await signed_in(onlooker.app, onlooker.services)
