"""docs/how-to/assistants.md: what it shows runs, and names all tools."""

import json
import re
import subprocess
import sys
from pathlib import Path

from app.people.mcp_server import build_server
from knowledge_engine import AsyncClient
from tests.ke_process import Service, environment

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "assistants.md").read_text()


def block(language: str) -> str:
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(text)


def test_openai_package_gets_an_answer_with_its_source(service: Service, leases: str) -> None:
    script = block("python").replace("http://127.0.0.1:8080", str(service.client.base_url))

    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=environment({"KE_API_KEY": service.key}),
        capture_output=True,
        text=True,
        check=False,
    )

    assert ran.returncode == 0, ran.stderr
    answer, source = ran.stdout.splitlines()
    assert "12,000 pounds" in answer
    assert source.startswith(f"warehouse-lease.pdf, page 2 {service.client.base_url}")


async def test_every_tool_is_documented() -> None:
    async with AsyncClient("ke-key") as client:
        tools = await build_server(client).list_tools()

    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == [tool.name for tool in tools]


def test_configuration_starts_the_command() -> None:
    server = json.loads(block("json"))["mcpServers"]["knowledge-engine"]

    assert [server["command"], *server["args"]] == ["ke", "mcp"]
