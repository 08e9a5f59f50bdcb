"""`ke mcp` at a real service, with the protocol's own client."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import Client as Assistant
from mcp import StdioServerParameters
from mcp_types import CallToolResult, TextContent

from app.people.mcp_server import build_server
from knowledge_engine import AsyncClient
from tests.ke_process import COMMAND, Service, environment, ke


@asynccontextmanager
async def assistant(service: Service) -> AsyncIterator[Assistant]:
    """An assistant of the tools, in this process."""
    async with (
        AsyncClient(service.key, str(service.client.base_url)) as client,
        Assistant(build_server(client)) as one,
    ):
        yield one


async def test_command_serves_the_tools_on_standard_input_and_output(
    service: Service, leases: str
) -> None:
    environment = {"KE_API_KEY": service.key, "KE_BASE_URL": str(service.client.base_url)}
    command = StdioServerParameters(
        command=sys.executable, args=[*COMMAND[1:], "mcp"], env=environment
    )

    async with Assistant(command) as one:
        tools = {tool.name: tool for tool in (await one.list_tools()).tools}
        answer = await called(one, "ask", question="How much is the deposit?", engine=leases)

    assert tools.keys() == {"list_engines", "list_documents", "search", "ask", "extract"}
    assert tools["ask"].input_schema["required"] == ["question"]
    assert "12,000 pounds" in answer["answer"]


def test_nothing_but_the_protocol_is_on_standard_output() -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }

    done = subprocess.run(
        [*COMMAND, "mcp"],
        input=json.dumps(hello) + "\n",
        env=environment({"KE_API_KEY": "ke-any"}),
        capture_output=True,
        text=True,
        check=True,
    )

    (line,) = done.stdout.splitlines()
    assert json.loads(line)["result"]["serverInfo"]["name"] == "knowledge-engine"


async def test_answer_names_file_and_page_of_its_sources(service: Service, leases: str) -> None:
    async with assistant(service) as one:
        answer = await called(one, "ask", question="How much is the deposit?", engine=leases)
        follow_up = await called(
            one,
            "ask",
            question="And the rent?",
            engine=leases,
            conversation=answer["conversation"],
        )

    assert answer["answer"].endswith("[1]")
    (source,) = answer["sources"]
    assert (source["number"], source["file"], source["page"]) == (1, "warehouse-lease.pdf", 2)
    assert follow_up["conversation"] == answer["conversation"]


async def test_engines_and_documents_are_listed(service: Service, leases: str) -> None:
    async with assistant(service) as one:
        engines = (await called(one, "list_engines"))["result"]
        documents = (await called(one, "list_documents", engine=leases))["result"]

    assert leases in [engine["name"] for engine in engines]
    # Others use the same engine, and may have put something into it before.
    assert ("warehouse-lease.pdf", "ok") in [(one["file_name"], one["status"]) for one in documents]


async def test_search_finds_passages_with_file_and_page(service: Service, leases: str) -> None:
    async with assistant(service) as one:
        (passage,) = (await called(one, "search", query="deposit", engine=leases, top=1))["result"]

    assert (passage["file"], passage["page"]) == ("warehouse-lease.pdf", 2)
    assert "48,000 pounds" in passage["text"]


async def test_values_are_extracted_with_confidence_and_evidence(
    service: Service, leases: str
) -> None:
    fields = [{"name": "Deposit", "description": "The security deposit", "type": "currency"}]

    async with assistant(service) as one:
        (found,) = (
            await called(
                one, "extract", fields=fields, engine=leases, documents=["warehouse-lease.pdf"]
            )
        )["result"]

    assert (found["field"], found["value"]) == ("Deposit", 12_000)
    assert 0 < found["confidence"] <= 1
    assert found["evidence"][0]["page"] == 2


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        pytest.param("ask", {"question": "?", "engine": "Loans"}, "There are: ", id="engine"),
        pytest.param(
            "ask", {"question": "?", "conversation": "7"}, "400: Invalid context ID", id="service"
        ),
        pytest.param(
            "extract",
            {"fields": [{"name": "Rent"}], "documents": ["loan.pdf"]},
            "The engine has no document loan.pdf",
            id="document",
        ),
    ],
)
async def test_failure_is_told_to_the_assistant(
    service: Service, leases: str, tool: str, arguments: dict[str, Any], message: str
) -> None:
    async with assistant(service) as one:
        result = await one.call_tool(tool, {"engine": leases} | arguments)

    assert result.is_error
    assert message in text_of(result)


def test_without_a_key_it_says_how_to_get_one() -> None:
    done = ke("mcp")

    assert (done.returncode, done.stdout) == (4, "")
    assert "KE_API_KEY" in done.stderr


async def called(one: Assistant, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool and return its structured result."""
    result = await one.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
