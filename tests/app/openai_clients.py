"""OpenAI's own package as a client of a served application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from openai import AsyncOpenAI
from quart import Quart

from tests.client import Client
from tests.loopback import served


@asynccontextmanager
async def openai_client(app: Quart, client: Client, key: str = "") -> AsyncIterator[AsyncOpenAI]:
    async with (
        served(app) as address,
        AsyncOpenAI(base_url=f"{address}/v1", api_key=key or client.key, max_retries=0) as openai,
    ):
        yield openai
