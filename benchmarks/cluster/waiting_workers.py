"""How much more 16 workers do than one, with an embedder that only waits.

Run as a module of its own it is such a worker: all of it is the service's but the embedder.
"""

import asyncio
import json
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from app.database import sqlalchemy_url
from app.services import open_services
from app.worker import stop_on_signals, work
from benchmarks.cluster.members import wait_until
from benchmarks.cluster.own_processes import Processes, own_processes
from config.settings import load_settings, prepare_library_environment
from indexing.embedding import Vectors

MOST = 16
DOCUMENTS = 3  # for each worker
WAIT_SECONDS = 15.0  # for a document; so long that all of them can be read meanwhile


# Documents wait behind a closed door until all are uploaded; it then opens for all at once.
_CLOSED_DOOR = (
    "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql"
    " AS 'BEGIN NEW.scheduled_at := now() + interval ''1 day''; RETURN NEW; END'",
    "CREATE TRIGGER hold BEFORE INSERT ON procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION hold()",
)


@dataclass(frozen=True, slots=True)
class Rate:
    """How long so many workers took for so many documents."""

    workers: int
    documents: int
    seconds: float

    @property
    def per_second(self) -> float:
        return self.documents / self.seconds


class WaitingEmbedder:
    """Takes its time for each batch, one after the other, and none of a processor's."""

    dimensions = 384

    def __init__(self) -> None:
        self._turn = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return vectors that mean nothing."""
        with self._turn:
            time.sleep(WAIT_SECONDS)
        return np.full((len(texts), self.dimensions), self.dimensions**-0.5, np.float32)


def measure_workers(folder: Path) -> list[Rate]:
    """Return the rates of one worker and of many; all are there before they get documents."""
    with own_processes(folder / "workers") as processes:
        processes.start_apis(1)
        engine_id = processes.create_engine()
        for statement in _CLOSED_DOOR:
            processes.execute(statement)
        rates = []
        for count in (1, MOST):
            while len(processes.others) < 1 + count:
                processes.start(__name__, KE_WORKER_CONCURRENCY="1")
            wait_until(partial(_are_there, processes, count), "workers")
            # The first document of a worker waits for what it loads, and is not counted.
            _rate(processes, engine_id, count, 1)
            rates.append(_rate(processes, engine_id, count, DOCUMENTS))
        return rates


def _rate(processes: Processes, engine_id: str, count: int, for_each: int) -> Rate:
    for at in range(count * for_each):
        name = f"{count}-{for_each}-{at}.txt"
        data = {"name": name, "type": "file", "knowledge_engine_id": engine_id}
        processes.clients[0].post(
            "/api/v1/data-sources",
            data={"data": json.dumps(data)},
            files={"file": (name, f"The deposit of lamp {name} is due.".encode())},
        ).raise_for_status()
    processes.execute("UPDATE procrastinate_jobs SET scheduled_at = NULL")
    news = '{"type": "job_inserted", "job_id": 0}'
    processes.execute(f"SELECT pg_notify('procrastinate_queue_v1#read', '{news}')")
    began = time.monotonic()
    wait_until(lambda: processes.count_processing() == 0, "the documents", 600)
    return Rate(count, count * for_each, time.monotonic() - began)


def _are_there(processes: Processes, workers: int) -> bool:
    """Tell whether each works on both queues: on that of documents once all is loaded."""
    heard = (
        "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '9 s'"
    )
    return int(str(processes.execute(heard)[0][0])) >= 2 * workers


async def _work() -> None:
    settings = load_settings()
    stop = stop_on_signals()
    database_url = sqlalchemy_url(settings.database_url)
    services = await asyncio.to_thread(open_services, settings, database_url)
    services.embedder = WaitingEmbedder()
    await work(services, stop, asyncio.Event())


if __name__ == "__main__":
    prepare_library_environment()
    asyncio.run(_work())
