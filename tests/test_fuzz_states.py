"""Engines, sources, workflows and runs under any sequence of calls: tests/fuzzing/machine.py.

`scripts/fuzz` tries more of the same.
"""

import asyncio
from itertools import count

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from quart import Quart

from app.services import Services
from tests.client import Client
from tests.conftest import new_client
from tests.fuzzing.machine import Accounts
from tests.fuzzing.rounds import tries
from tests.fuzzing.talkative_llm import TalkativeLLM

SEQUENCES = 4
STEPS = 25

pytestmark = pytest.mark.usefixtures("without_a_key")


@pytest.fixture
def llm() -> TalkativeLLM:
    return TalkativeLLM()


async def test_whatever_is_done_in_whatever_order(app: Quart, services: Services) -> None:
    numbers = count()

    class Here(Accounts):
        loop = asyncio.get_running_loop()

        @staticmethod
        async def new_client() -> Client:
            return await new_client(app, services, f"account {next(numbers)}")

    budget = settings(tries(SEQUENCES), stateful_step_count=STEPS)
    # Hypothesis is synchronous, and what it tries runs in the loop that the services belong to.
    await asyncio.to_thread(run_state_machine_as_test, Here, settings=budget)
