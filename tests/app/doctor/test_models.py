import asyncio
import json
from pathlib import Path
from subprocess import CompletedProcess

from app.doctor.findings import Level
from app.doctor.models import check_models
from config.settings import Settings
from tests.built_models import link_models
from tests.ke_command import ke
from tests.openai_server import Fail, OpenAIServer, openai_server


def test_routing_file_that_can_be_used_is_well() -> None:
    (found,) = check_models(Settings())

    assert found.level is Level.OK


def test_routing_file_that_cannot_be_used_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "models.yaml"
    path.write_text("models: {}\nauto: {standard: [fast]}\n")

    (found,) = check_models(Settings(models_file=path))

    assert found.level is Level.PROBLEM
    assert found.text.startswith(f"{path}: models: ")


async def test_nobody_is_asked_unless_told_to(tmp_path: Path) -> None:
    async with openai_server() as server:
        server.scripts = [["yes"]]

        done = await doctor(server, tmp_path)

        assert done.returncode == 0
        assert server.requests == []


async def test_model_that_answers_is_well(tmp_path: Path) -> None:
    async with openai_server() as server:
        server.scripts = [["yes"]]

        done = await doctor(server, tmp_path, "--ask")

        levels = {one["subject"]: one["level"] for one in json.loads(done.stdout)}
        assert levels["model delta-4.1"] == "ok"
        assert server.requests


async def test_model_that_refuses_is_a_problem(tmp_path: Path) -> None:
    async with openai_server() as server:
        server.scripts = [[Fail(401)]]

        done = await doctor(server, tmp_path, "--ask")

        levels = {one["subject"]: one["level"] for one in json.loads(done.stdout)}
        assert (done.returncode, levels["model delta-4.1"]) == (1, "problem")
        assert "sk-hidden" not in done.stdout + done.stderr


async def doctor(server: OpenAIServer, data_dir: Path, *options: str) -> CompletedProcess[str]:
    """Run the command with the server behind every model."""
    link_models(data_dir)
    own = {"KE_LLM_API_BASE": server.address, "KE_LLM_MODEL": "own", "KE_LLM_API_KEY": "sk-hidden"}
    arguments = ("doctor", "--json", "--data-dir", data_dir, *options)
    return await asyncio.to_thread(ke, *arguments, **own)
