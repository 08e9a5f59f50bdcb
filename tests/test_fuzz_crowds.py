"""People who do whatever they like with the same things at once: tests/fuzzing/crowd.py.

`scripts/fuzz` tries more of the same.
"""

import asyncio
import logging
from random import Random

import pytest

from tests.client import Client
from tests.fuzzing.crowd import Crowd
from tests.fuzzing.rounds import ROUNDS, SEED
from tests.fuzzing.talkative_llm import TalkativeLLM

CROWDS = 3
PEOPLE = 8
STEPS = 25
WORKERS = 2
SECONDS = 60

pytestmark = pytest.mark.usefixtures("without_a_key")


@pytest.fixture
def llm() -> TalkativeLLM:
    return TalkativeLLM()


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
