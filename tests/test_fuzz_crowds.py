"""People who do whatever they like with the same things at once: tests/fuzzing/crowd.py.

`scripts/fuzz` tries more of the same.
"""

import asyncio
import logging
from random import Random

import pytest

from app.services import Services
from config.model_table import load_model_table
from tests.client import Client
from tests.fuzzing.crowd import Crowd
from tests.fuzzing.rounds import ROUNDS, SEED
from tests.fuzzing.talkative_llm import TalkativeLLM

CROWDS = 3
PEOPLE = 8
STEPS = 25
WORKERS = 2
SECONDS = 60


@pytest.fixture
def llm() -> TalkativeLLM:
    return TalkativeLLM()


@pytest.fixture(autouse=True)
def without_a_key(services: Services) -> None:
    """No model of a provider is there, only what is built in."""
    services.models = load_model_table(services.settings.models_file, lambda name: "")


@pytest.mark.parametrize("seed", range(SEED, SEED + CROWDS * ROUNDS))
async def test_whatever_is_done_at_once(
    client: Client, caplog: pytest.LogCaptureFixture, seed: int
) -> None:
    crowd = Crowd(client, Random(seed))
    await crowd.create_engine()

    async with asyncio.timeout(SECONDS), asyncio.TaskGroup() as tasks:
        people = tasks.create_task(crowd.people(PEOPLE, STEPS))
        for _ in range(WORKERS):
            tasks.create_task(crowd.worker(people))

    problems = [one for one in caplog.records if one.levelno >= logging.ERROR]
    assert [one.getMessage() for one in problems] == []
