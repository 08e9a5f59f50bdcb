"""How long `ke serve` takes to its first 200 of /readyz, and the memory its processes hold."""

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import httpx
import psutil

from app.demo import QUESTIONS, SAMPLE
from benchmarks.report import publish, table
from benchmarks.service import RunningService, answered, running_service, wait_until_processed

RUNS = 5
IDLE_SECONDS = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--runs", type=int, default=RUNS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ke-start-", dir="/tmp") as directory:
        new: list[float] = []
        for number in range(arguments.runs):
            with running_service(Path(directory) / f"new-{number}", port=arguments.port) as service:
                new.append(service.start_seconds)
        existing: list[float] = []
        data_dir = Path(directory) / "new-0"
        for _ in range(arguments.runs):
            with running_service(data_dir, port=arguments.port) as service:
                existing.append(service.start_seconds)
        with running_service(Path(directory) / "memory", port=arguments.port) as service:
            sizes = measure_memory(service)
    report(new, existing, sizes)


def measure_memory(service: RunningService) -> list[tuple[str, float, float]]:
    """Return what each process holds, idle and after its first work."""
    time.sleep(IDLE_SECONDS)
    sizes = sizes_of(service, f"idle for {IDLE_SECONDS} s")
    read_and_ask(service.client)
    sizes += sizes_of(service, "after a document and a question")
    return sizes


def read_and_ask(client: httpx.Client) -> None:
    """Upload the demo's document and ask about it."""
    engine_id = answered(client.post("/api/v1/knowledge-engines", json={"name": "Start"}))["id"]
    data = {"name": SAMPLE.stem, "type": "file", "knowledge_engine_id": engine_id}
    with SAMPLE.open("rb") as file:
        uploaded = client.post(
            "/api/v1/data-sources",
            data={"data": json.dumps(data)},
            files={"file": (SAMPLE.name, file)},
        )
    wait_until_processed(client, answered(uploaded)["id"])
    body = {"name": "start", "type": "query", "query": QUESTIONS[0]}
    answered(client.post("/api/v1/workflows", json=body | {"knowledge_engine_id": engine_id}))


def sizes_of(service: RunningService, moment: str) -> list[tuple[str, float, float]]:
    """Return (process and moment, resident MB, own MB) of all processes that Python runs in."""
    found = []
    api = psutil.Process(service.process.pid)
    for process in (api, *api.children(recursive=True)):
        name = _name(process, api)
        if name:
            memory = process.memory_full_info()
            found.append((f"{name}, {moment}", memory.rss / 2**20, memory.uss / 2**20))
    return found


def report(
    new: Sequence[float], existing: Sequence[float], sizes: Sequence[tuple[str, float, float]]
) -> None:
    """Print the times and sizes."""
    times = [("new", *spread(new)), ("existing", *spread(existing))]
    publish(
        "start_time",
        "Start time and memory",
        f"Seconds from `ke serve` to the first 200 of `/readyz`, {len(new)} starts each:",
        table(("data directory", "min", "median", "max"), times),
        "Memory in MB; what is not a process's own is mapped from files or shared:",
        table(
            ("process", "resident", "its own"), [(n, f"{r:.0f}", f"{u:.0f}") for n, r, u in sizes]
        ),
    )


def spread(seconds: Sequence[float]) -> list[str]:
    """Return the least, the middle and the most."""
    ordered = sorted(seconds)
    return [f"{ordered[n]:.2f}" for n in (0, len(ordered) // 2, -1)]


def _name(process: psutil.Process, api: psutil.Process) -> str:
    command = " ".join(process.cmdline())
    if process == api:
        return "API"
    names = {"app.worker": "worker", "multiprocessing.forkserver": "readers' fork server"}
    return next((name for part, name in names.items() if part in command), "")


if __name__ == "__main__":
    main()
