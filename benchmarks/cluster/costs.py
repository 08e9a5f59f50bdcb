"""What a request costs with one API process and with eight: processor time and SQL statements."""

import json
import random
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from benchmarks.cluster.members import wait_until
from benchmarks.cluster.own_processes import Processes, own_processes
from benchmarks.kills.documents import WORDS, make_document

MOST = 8
DOCUMENTS = 12
REQUESTS = 40  # to each process in a round
PACE_SECONDS = 0.25  # between two requests to a process
ROUNDS = 4  # with one process and with all, in turn


@dataclass(frozen=True, slots=True)
class Cost:
    """What a request costs on average, of one round."""

    api_ms: float
    database_ms: float
    statements: float = 0.0


def measure_costs(folder: Path) -> dict[int, Cost]:
    """Return the cost of a request by the number of processes: the median of its rounds."""
    with own_processes(folder / "costs") as processes:
        processes.start_apis(MOST)
        engine_id = _fill(processes)
        for at in range(2):  # What each process loads at its first requests is not counted.
            _round(processes, engine_id, MOST, at)
        rounds: dict[int, list[Cost]] = {1: [], MOST: []}
        for at in range(ROUNDS):
            for count, costs in rounds.items():
                costs.append(_cpu_of_round(processes, engine_id, count, 100 + at))
        return {
            count: Cost(
                statistics.median(one.api_ms for one in costs),
                statistics.median(one.database_ms for one in costs),
                _statements_of_round(processes, engine_id, count),
            )
            for count, costs in rounds.items()
        }


def _fill(processes: Processes) -> str:
    """Make an engine with documents, read by a worker that is gone afterwards."""
    engine_id = processes.create_engine()
    worker = processes.start("app.cli", "worker")
    rng = random.Random(1)
    for _ in range(DOCUMENTS):
        document = make_document(engine_id, rng)
        data = {"name": document.name, "type": "file", "knowledge_engine_id": engine_id}
        processes.clients[0].post(
            "/api/v1/data-sources",
            data={"data": json.dumps(data)},
            files={"file": (document.name, document.content)},
        )
    wait_until(lambda: processes.count_processing() == 0, "the documents")
    processes.end([worker])
    return engine_id


def _cpu_of_round(processes: Processes, engine_id: str, count: int, seed: int) -> Cost:
    apis = processes.apis[:count]
    servers = [processes.postgres, *processes.postgres.children()]
    before = _cpu_seconds(apis), _cpu_seconds(servers)
    _round(processes, engine_id, count, seed)
    after = _cpu_seconds(apis), _cpu_seconds(servers)
    requests = REQUESTS * count
    api, database = (1000 * (b - a) / requests for a, b in zip(before, after, strict=True))
    return Cost(api, database)


def _statements_of_round(processes: Processes, engine_id: str, count: int) -> float:
    """Count the statements in the server's own log, in a round of its own: writing it costs."""
    processes.execute("ALTER SYSTEM SET log_statement = 'all'")
    processes.execute("SELECT pg_reload_conf()")
    wait_until(lambda: processes.execute("SHOW log_statement") == [("all",)], "the log", 10)
    before = _logged(processes)
    _round(processes, engine_id, count, 1000)
    logged = _logged(processes) - before
    processes.execute("ALTER SYSTEM RESET log_statement")
    processes.execute("SELECT pg_reload_conf()")
    return logged / (REQUESTS * count)


def _logged(processes: Processes) -> int:
    text = processes.database_log.read_text(errors="replace")
    return text.count("LOG:  execute ") + text.count("LOG:  statement: ")


def _round(processes: Processes, engine_id: str, count: int, seed: int) -> None:
    """Send the same mix at the same pace to each of so many processes: more of them do more."""

    def send_to(at: int) -> None:
        rng = random.Random(f"{seed}/{count}/{at}")
        due = time.monotonic() + at * PACE_SECONDS / count
        for number in range(REQUESTS):
            time.sleep(max(0.0, due - time.monotonic()))
            due += PACE_SECONDS
            _send(processes.clients[at], engine_id, number, rng).raise_for_status()

    with ThreadPoolExecutor(count) as threads:
        list(threads.map(send_to, range(count)))


def _send(client: httpx.Client, engine_id: str, number: int, rng: random.Random) -> httpx.Response:
    """Send five searches, a question, and four requests for what is stored, in turn."""
    path = f"/api/v1/knowledge-engines/{engine_id}"
    query = " ".join(rng.choices(WORDS, k=6))  # Never the same: what was embedded is remembered.
    match number % 10:
        case 0 | 2 | 4 | 6 | 8:
            return client.post(f"{path}/retrieve", json={"query": query})
        case 1:
            question = {"name": "cost", "query": query, "type": "query"}
            body = question | {"knowledge_engine_id": engine_id}
            return client.post("/api/v1/workflows", json=body)
        case 3 | 5:
            return client.get(path)
        case _:
            return client.get(f"{path}/data-sources")


def _cpu_seconds(processes: list[psutil.Process]) -> float:
    times = [one.cpu_times() for one in processes]
    return sum(one.user + one.system for one in times)
