"""What the service adds to each token of a streamed answer, and how many streams it carries.

A loopback model server stamps each token; beside the service, in turn with it, LiteLLM is iterated
directly and nothing else is done.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import psutil

from app.demo import SAMPLE
from benchmarks.report import publish, table
from benchmarks.service import RunningService, answered, running_service, wait_until_processed
from benchmarks.token_server import tokens_in, wish
from tests.postgres_over_tcp import free_port

ROUNDS = 10
COUNT = 200
INTERVAL_MS = 10
FIRST_TOKENS = 40
LOADS = [(50, 100), (200, 400), (200, 200)]
"""How many streams at once, and the milliseconds between two tokens of each."""

BEGIN_SECONDS = 8
LOAD_SECONDS = 16
SETTLED = 0.5
"""The part of each stream that does not count, for others still begin in its time."""

HOW = """A token's delay is the time from the stamp of the model server to who reads it: the loop
over LiteLLM itself, or the client of an HTTP server. All sides run in turn in one run, each in a
process of its own; the clients, the model server and PostgreSQL share the two cores with them.
Added is the difference of the percentiles. The target (at most 0.10 ms at p50, 1 ms at p99) is
judged by what is added to LiteLLM directly, with the way over HTTP in it. "Sent on" is a bare
Granian application that iterates LiteLLM and sends each token as an event: what is added to it
shows the service's own part apart from that way. Both iterate LiteLLM as its documentation does;
the service reads streams of OpenAI's protocol from beneath it (`agents/provider_words.py`), so that
what is added can be less than nothing. Processor time is that of the process that reads LiteLLM,
over all tokens: beside the direct reading, the service's has the question, the HTTP to the client
and the record for `Last-Event-ID` in it."""


@dataclass
class Read:
    """A stream as it was read: the number and delay of each token."""

    tokens: list[tuple[int, float]] = field(default_factory=list)
    first_ms: float = 0.0
    is_done: bool = False
    is_refused: bool = False

    def is_whole(self, count: int) -> bool:
        """Tell whether all tokens came in their order, and then the end."""
        return self.is_done and [number for number, _ in self.tokens] == list(range(count))


@dataclass
class Run:
    """Some streams at once, and the processor time of who made them."""

    streams: list[Read]
    cpu_seconds: float

    def delays(self, settled: float = 0.0) -> list[float]:
        """Return the delays of all tokens but the first part of each stream."""
        return [
            delay
            for one in self.streams
            for _, delay in one.tokens[int(settled * len(one.tokens)) :]
        ]

    def whole(self, count: int) -> int:
        return sum(one.is_whole(count) for one in self.streams)


class ServiceReader(asyncio.Protocol):
    """Asks a question on a connection of its own, and stamps what comes as it comes."""

    def __init__(self, request: bytes) -> None:
        self.read = Read()
        self.has_ended = asyncio.get_running_loop().create_future()
        self._request = request
        self._pending = b""
        self._began = time.monotonic()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic_ns()
        self.read.is_refused = self.read.is_refused or data.startswith(b"HTTP/1.1 503")
        events, end, self._pending = (self._pending + data).rpartition(b"\n\n")
        tokens = tokens_in(events.partition(b"event: done")[0].decode(), now) if end else []
        if tokens and not self.read.tokens:
            self.read.first_ms = now / 1e6 - self._began * 1000
        self.read.tokens += tokens
        self.read.is_done = self.read.is_done or b"event: done" in events

    def connection_lost(self, error: Exception | None) -> None:
        self.has_ended.set_result(None)


@dataclass
class Sides:
    """The service and the direct reader, both reading from the same model server."""

    service: RunningService
    engine_id: str
    direct: "subprocess.Popen[str]"
    sent_on: "subprocess.Popen[str]"
    sent_on_port: int

    def read_service(
        self, streams: int, count: int, interval_ms: int, begin_seconds: float = 0.0
    ) -> Run:
        """Ask so many questions, spread over some seconds."""
        process = psutil.Process(self.service.process.pid)
        before = process.cpu_times()
        pauses = np.linspace(0, begin_seconds, streams).tolist()
        request = self._question(wish(count, interval_ms))
        read = asyncio.run(_read_streams(self.service.client.base_url.port or 80, request, pauses))
        return Run(read, _seconds_since(before, process))

    def read_sent_on(self, count: int, interval_ms: int) -> Run:
        """Ask one question of the server that only sends LiteLLM's tokens on."""
        process = psutil.Process(self.sent_on.pid)
        before = process.cpu_times()
        request = _request("/", json.dumps({"query": wish(count, interval_ms)}))
        read = asyncio.run(_read_streams(self.sent_on_port, request, [0]))
        return Run(read, _seconds_since(before, process))

    def read_direct(
        self, streams: int, count: int, interval_ms: int, begin_seconds: float = 0.0
    ) -> Run:
        """Let LiteLLM be iterated as often."""
        assert self.direct.stdin is not None
        assert self.direct.stdout is not None
        order = {"count": count, "interval_ms": interval_ms}
        order["pauses"] = np.linspace(0, begin_seconds, streams).tolist()
        self.direct.stdin.write(json.dumps(order) + "\n")
        self.direct.stdin.flush()
        result = json.loads(self.direct.stdout.readline())
        return Run([Read(**stream) for stream in result["streams"]], result["cpu_seconds"])

    def retrieval_ms(self) -> float:
        """Return how long a search takes now."""
        path = f"/api/v1/knowledge-engines/{self.engine_id}/retrieve"
        began = time.monotonic()
        answered(self.service.client.post(path, json={"query": wish(1, 0), "top_k": 20}))
        return (time.monotonic() - began) * 1000

    def _question(self, question: str) -> bytes:
        body = json.dumps({"name": "stream", "query": question, "model": "delta-4.1"})
        token = b64encode(f"{self.service.key}:".encode()).decode()
        path = f"/api/v1/knowledge-engines/{self.engine_id}/query"
        return _request(path, body, f"Authorization: Basic {token}\r\n")


def _request(path: str, body: str, headers: str = "") -> bytes:
    return (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}Connection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    ).encode()


async def _read_streams(port: int, request: bytes, pauses: Sequence[float]) -> list[Read]:
    return await asyncio.gather(*(_read_stream(port, request, pause) for pause in pauses))


async def _read_stream(port: int, request: bytes, pause: float) -> Read:
    await asyncio.sleep(pause)
    loop = asyncio.get_running_loop()
    _, reader = await loop.create_connection(lambda: ServiceReader(request), "127.0.0.1", port)
    await reader.has_ended
    return reader.read


def _seconds_since(before: Any, process: psutil.Process) -> float:
    after = process.cpu_times()
    return float(after.user + after.system - before.user - before.system)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small part, printed but not kept")
    quick = parser.parse_args().quick
    with both_sides() as sides:
        warm_up(sides)
        sections = [
            "## One stream",
            one_stream(sides, 3 if quick else ROUNDS),
            "## The first token",
            first_token(sides, 15 if quick else FIRST_TOKENS),
            "## Streams at once",
            streams_at_once(sides, LOADS[2:3] if quick else LOADS),
        ]
    if quick:
        print("\n\n".join(sections))
    else:
        publish("streaming", "Streaming", HOW, *sections)


def one_stream(sides: Sides, rounds: int) -> str:
    """Read one stream at a time, on both sides in turn."""
    service, sent_on, direct = [], [], []
    for _ in range(rounds):
        direct.append(sides.read_direct(1, COUNT, INTERVAL_MS))
        sent_on.append(sides.read_sent_on(COUNT, INTERVAL_MS))
        service.append(sides.read_service(1, COUNT, INTERVAL_MS))
    rows = [
        _row("LiteLLM directly", direct),
        _row("LiteLLM, sent on", sent_on),
        _row("the service", service),
        ("added to LiteLLM directly: the target's", *_added(service, direct), ""),
        ("added to LiteLLM, sent on", *_added(service, sent_on), ""),
    ]
    whole = sum(run.whole(COUNT) for run in service)
    return "\n\n".join(
        [
            f"{rounds} answers of {COUNT} tokens, one every {INTERVAL_MS} ms. "
            f"Whole and in order: {whole} of {rounds}.",
            table(("", "delay p50, ms", "delay p99, ms", "processor time per token, ms"), rows),
        ]
    )


def _added(runs: Sequence[Run], to: Sequence[Run]) -> list[str]:
    with_it, without = (
        np.percentile([delay for run in side for delay in run.delays()], [50, 99])
        for side in (runs, to)
    )
    return [f"{ms:.3f}" for ms in with_it - without]


def _row(name: str, runs: Sequence[Run]) -> tuple[str, ...]:
    delays = [delay for run in runs for delay in run.delays()]
    cpu_ms = sum(run.cpu_seconds for run in runs) * 1000 / len(delays)
    return name, *(f"{ms:.3f}" for ms in np.percentile(delays, [50, 99])), f"{cpu_ms:.3f}"


def first_token(sides: Sides, rounds: int) -> str:
    """Measure the way to the first token, on both sides and of a search in turn."""
    service, direct, retrieval = [], [], []
    for _ in range(rounds):
        direct.append(sides.read_direct(1, 1, 0).streams[0].first_ms)
        retrieval.append(sides.retrieval_ms())
        service.append(sides.read_service(1, 1, 0).streams[0].first_ms)
    medians = [float(np.median(ms)) for ms in (service, direct, retrieval)]
    added = medians[0] - medians[1]
    rows = [(*(f"{ms:.1f}" for ms in medians), f"{added:.1f}", f"{added - medians[2]:.1f}")]
    header = ("service", "LiteLLM directly", "/retrieve", "added", "added beyond /retrieve")
    return f"From request to first token, p50 of {rounds}, ms.\n\n{table(header, rows)}"


def streams_at_once(sides: Sides, loads: Sequence[tuple[int, int]]) -> str:
    """Read many streams at a time, on both sides in turn."""
    rows = []
    for streams, interval_ms in loads:
        count = LOAD_SECONDS * 1000 // interval_ms
        for name, read in (("directly", sides.read_direct), ("service", sides.read_service)):
            run = read(streams, count, interval_ms, BEGIN_SECONDS)
            delays = run.delays(SETTLED)
            p50, p99 = np.percentile(delays, [50, 99]) if delays else (0, 0)
            cpu_ms = run.cpu_seconds * 1000 / sum(len(one.tokens) for one in run.streams)
            refused = sum(one.is_refused for one in run.streams)
            whole = f"{run.whole(count)} of {streams - refused}"
            figures = (f"{p50:.2f}", f"{p99:.1f}", f"{cpu_ms:.3f}", whole, refused)
            rows.append((streams, streams * 1000 // interval_ms, name, *figures))
    header = (
        "streams", "tokens/s", "", "delay p50, ms", "delay p99, ms", "processor time per token, ms",
        "whole and in order", "refused (503)",
    )  # fmt: skip
    return (
        f"Streams of {LOAD_SECONDS} s begin within {BEGIN_SECONDS} s; the delays are those of the "
        f"second half of each, in which all are there.\n\n{table(header, rows)}"
    )


def warm_up(sides: Sides) -> None:
    """Let both sides load what they load once."""
    for _ in range(3):
        sides.read_direct(1, 20, 1)
        sides.read_sent_on(20, 1)
        if not sides.read_service(1, 20, 1).whole(20):
            raise SystemExit("The service did not answer; see its log.")


@contextmanager
def both_sides() -> Iterator[Sides]:
    """Start the model server, the service with a document, and what it is compared with."""
    port, sent_on_port = free_port(), free_port()
    api_base = f"http://127.0.0.1:{port}/v1"
    own = {"KE_LLM_API_BASE": api_base, "KE_LLM_MODEL": "loopback"}
    os.environ.update(own)  # `running_service` hands it on.
    with (
        tempfile.TemporaryDirectory(prefix="ke-stream-", dir="/tmp") as folder,
        _program("benchmarks.token_server", str(port)),
        _program("benchmarks.litellm_reader", api_base) as direct,
        _program("benchmarks.litellm_server", api_base, str(sent_on_port)) as sent_on,
    ):
        Path(folder).chmod(0o711)
        with running_service(Path(folder) / "data") as service:
            engine_id = _filled_engine(service.client)
            yield Sides(service, engine_id, direct, sent_on, sent_on_port)


@contextmanager
def _program(module: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


def _filled_engine(client: httpx.Client) -> str:
    engine: Any = answered(client.post("/api/v1/knowledge-engines", json={"name": "Streams"}))
    data = {"name": "lease", "type": "file", "knowledge_engine_id": engine["id"]}
    with SAMPLE.open("rb") as file:
        uploaded = client.post(
            "/api/v1/data-sources",
            data={"data": json.dumps(data)},
            files={"file": (SAMPLE.name, file)},
        )
    wait_until_processed(client, answered(uploaded)["id"])
    return str(engine["id"])


if __name__ == "__main__":
    main()
