"""What the tests of tool runs share."""

import pytest

from app.services import Services
from config.model_table import load_model_table
from tests.client import Client


@pytest.fixture
def without_a_key(services: Services) -> None:
    """Nothing but the built-in extractor is there, unless a test enables a model."""
    services.models = load_model_table(services.settings.models_file, lambda name: "")


@pytest.fixture
async def source(client: Client, engine: str) -> str:
    """The id of the warehouse lease."""
    (found,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    return str(found["id"])
