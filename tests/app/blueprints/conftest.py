"""What the tests of tool runs share."""

import pytest

from tests.client import Client


@pytest.fixture
async def source(client: Client, engine: str) -> str:
    """The id of the warehouse lease."""
    (found,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    return str(found["id"])
