from quart import Quart

from app.current import current_key, current_key_id, get_services
from app.services import Services


async def test_request_finds_the_services_of_its_application(
    app: Quart, services: Services
) -> None:
    async with app.app_context():
        assert get_services() is services


async def test_page_of_the_console_carries_no_key(app: Quart) -> None:
    async with app.app_context():
        assert (current_key(), current_key_id()) == (None, None)
