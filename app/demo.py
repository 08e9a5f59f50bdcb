"""`ke demo`: the whole round on a sample document, through the same API that everybody uses."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from app.key_commands import create_key
from config.errors import ServingFailed
from config.settings import Settings

SAMPLE = Path(__file__).parent / "samples" / "warehouse-lease.pdf"
ENGINE_NAME = "Demo"
QUESTIONS = (
    "When does the lease end?",
    "How much is the security deposit?",
    "Who pays for repairs to the roof?",
)

_START_SECONDS = 180
_READ_SECONDS = 180

Say = Callable[[str], None]


def run_demo(settings: Settings, say: Say) -> None:
    """Start the service, upload, ask, print the answers and how to go on, and stop.

    Raises:
        ServingFailed: a step did not succeed; the message says which.
    """
    begun = time.monotonic()
    say("1/4 Starting the service (the first time it also makes its database and its model) …")
    # Before the service runs, or it would make a first key that nobody sees.
    key = create_key(settings, "demo")
    with (
        _service(settings) as address,
        httpx.Client(base_url=f"{address}/api/v1", auth=(key, ""), timeout=120) as client,
    ):
        engine_id = _find_engine(client) or _create_engine(client)
        say(f"2/4 Uploading {SAMPLE.name} and waiting until it is read …")
        _upload(client, engine_id)
        _wait_until_ready(client, engine_id)
        say("3/4 Asking …")
        for question in QUESTIONS:
            _ask(client, engine_id, question, say)
    say(f"4/4 Done in {time.monotonic() - begun:.0f} s. To go on, start the service:\n")
    data_dir = "" if settings.data_dir == Path("data") else f" --data-dir {settings.data_dir}"
    say(f"  ./ke serve{data_dir}\n\nand ask it from another terminal:\n")
    say(_curl_line(settings, key, engine_id))


@contextmanager
def _service(settings: Settings) -> Iterator[str]:
    """Run `ke serve` on a free port for as long as the demo lasts; yield its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-P", "-m", "app.cli", "serve", "--host", "127.0.0.1"]
    command += ["--port", str(port), "--data-dir", str(settings.data_dir)]
    environment = os.environ | {"KE_LOG_LEVEL": "WARNING"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_until_started(process, address)
        yield address
    finally:
        process.terminate()
        process.wait()


def _wait_until_started(process: subprocess.Popen[bytes], address: str) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise ServingFailed("The service did not start; its message stands above.")
        try:
            if httpx.get(f"{address}/readyz").is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise ServingFailed(f"The service did not start within {_START_SECONDS} s.")


def _find_engine(client: httpx.Client) -> str | None:
    """Return the engine of an earlier demo."""
    engines = _checked(client.get("/knowledge-engines"))
    return next((engine["id"] for engine in engines if engine["name"] == ENGINE_NAME), None)


def _create_engine(client: httpx.Client) -> str:
    body = {"name": ENGINE_NAME, "description": "A sample warehouse lease"}
    return str(_checked(client.post("/knowledge-engines", json=body))["id"])


def _upload(client: httpx.Client, engine_id: str) -> None:
    data = {"name": SAMPLE.stem, "type": "file", "knowledge_engine_id": engine_id}
    with SAMPLE.open("rb") as file:
        response = client.post(
            "/data-sources", data={"data": json.dumps(data)}, files={"file": (SAMPLE.name, file)}
        )
    if response.json() != {"error": "Duplicate file"}:  # An earlier demo has uploaded it.
        _checked(response)


def _wait_until_ready(client: httpx.Client, engine_id: str) -> None:
    deadline = time.monotonic() + _READ_SECONDS
    while _checked(client.get(f"/knowledge-engines/{engine_id}"))["status"] != "ready":
        if time.monotonic() > deadline:
            raise ServingFailed(f"The sample was not read within {_READ_SECONDS} s.")
        time.sleep(0.2)


def _ask(client: httpx.Client, engine_id: str, question: str, say: Say) -> None:
    body = {"name": "demo", "query": question, "type": "query", "knowledge_engine_id": engine_id}
    workflow = _checked(client.post("/workflows", json=body))
    say(f"\n  Q: {question}\n  A: {workflow['response']}")
    for citation in workflow["citations"] or []:
        place = f"{citation['file_name']}, page {citation['page_number']}"
        say(f"     {citation['citation_key']} {place}")
    say("")


def _curl_line(settings: Settings, key: str, engine_id: str) -> str:
    body = json.dumps({"name": "demo", "query": QUESTIONS[0]})
    url = f"http://{settings.host}:{settings.port}/api/v1/knowledge-engines/{engine_id}/query"
    return (
        f"  curl -N -u {key}: -H 'Content-Type: application/json' \\\n    -d '{body}' \\\n    {url}"
    )


def _checked(response: httpx.Response) -> Any:
    if not response.is_success:
        raise ServingFailed(f"The service answered {response.status_code}: {response.text}")
    return response.json()
