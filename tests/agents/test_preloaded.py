"""In a process of its own, for every other test has loaded something before."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import asyncio, gc, sys
from config.settings import prepare_library_environment
prepare_library_environment()
from tests.agents.gateways import gateway_to, said
from tests.openai_server import openai_server

async def first_answer():
    async with openai_server() as server:
        server.scripts = [["The lease ", "ends."]]
        gateway = gateway_to(server)
        await gateway.warm_up()
        loaded = set(sys.modules)
        assert await said(gateway) == ["The lease ", "ends."]
        await asyncio.sleep(0.2)
        return {name.partition(".")[0] for name in sys.modules if name not in loaded}

late = asyncio.run(first_answer())
print(*sorted(late & {"openai", "opentelemetry", "tiktoken", "psutil"}), gc.get_freeze_count() > 0)
"""


def test_first_answer_finds_everything_large_loaded() -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=True,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )

    assert run.stdout.split() == ["True"]
