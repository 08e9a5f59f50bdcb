"""A provider for the tests of the agents."""

from collections.abc import AsyncIterator

import pytest

from tests.openai_server import OpenAIServer, openai_server


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with openai_server() as server:
        yield server
