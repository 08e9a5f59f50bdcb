"""The load: the clients of `benchmarks.kills`, spread over the API hosts, with two tasks more.

A client writes at one host and at once reads at another, with the same key. And it follows its
streams to their end: when the connection breaks, it goes on at another host.
"""

import itertools
import re
import threading
import time
from collections.abc import Sequence
from typing import Any

import httpx

from benchmarks.kills.documents import make_document
from benchmarks.kills.ledger import Ledger
from benchmarks.kills.load import TOP_K, Client

FOLLOWED_SECONDS = 60.0
"""How long a stream may take to end, with all that happens to the hosts meanwhile."""

_EVENT = re.compile(r"id: strm_\w+-(\d+)\nevent: (\w+)")


class ClusterClient(Client):
    """A client of one API host, that now and then asks the others."""

    def __init__(self, number: int, seed: int, addresses: Sequence[str], ledger: Ledger) -> None:
        super().__init__(number, seed, addresses[number % len(addresses)], ledger)
        self._addresses = addresses
        self._actions[self._write_here_read_there] = 20

    def _elsewhere(self) -> str:
        others = [one for one in self._addresses if one != self._base_url]
        return self._random.choice(others)

    def _write_here_read_there(self) -> None:
        """Upload, look for it at another host, and when it is read search for it at another."""
        engine_id = self._some_engine()
        if engine_id is None:
            return
        document = make_document(engine_id, self._random)
        before = len(self._pending)
        self._upload_to(document)
        if len(self._pending) == before:
            return
        given_id = self._pending.pop()
        response = self._ask_elsewhere("GET", f"/data-sources/{given_id}")
        if response is not None and response.status_code != 200:
            self._stale(engine_id, given_id, f"is not there: {response.status_code}")
        if self._is_read(given_id):
            self._expect_found(engine_id, given_id, document.word)

    def _is_read(self, given_id: str) -> bool:
        """Wait for a moment until the document is read; tell whether it is, with chunks."""
        for _ in range(20):
            response = self._send("GET", f"/data-sources/{given_id}")
            if response is None or response.status_code != 200:
                return False
            if response.json()["status"] == "processed":
                return bool(response.json()["outcome"] == "ok")
            time.sleep(0.3)
        return False

    def _expect_found(self, engine_id: str, given_id: str, word: str) -> None:
        """Search elsewhere, on the replica if it is up to date, for what was just stored."""
        path = f"/knowledge-engines/{engine_id}/retrieve"
        # In this document alone: the words of some stand in many, which may fill the answer.
        body = {"query": word, "top_k": TOP_K, "data_source_id": given_id}
        response = self._ask_elsewhere("POST", path, json=body)
        if response is None or response.status_code not in (200, 400):
            return  # Down, or the engine is being deleted: the other tasks judge that.
        self._ledger.count("searches elsewhere after a write")
        if not response.json().get("chunks"):
            self._stale(engine_id, given_id, "is not found")

    def _stale(self, engine_id: str, given_id: str, what: str) -> None:
        with self._ledger.lock:
            gone = given_id in self._ledger.in_doubt | self._ledger.deleted
            if engine_id in self._ledger.engines and not gone:
                self._ledger.wrong.append(f"stale read: {given_id} {what} at another host")

    def _ask_elsewhere(self, method: str, path: str, **request: Any) -> httpx.Response | None:
        """Return the answer of another host; None where it has none, which is noted."""
        return self._send(method, f"{self._elsewhere()}/api/v1{path}", **request)

    def _stream(self) -> None:
        """Ask, and follow the answer to its end, wherever it goes on."""
        engine_id = self._some_engine()
        if engine_id is None:
            return
        question = {"name": "cluster", "query": self._question()}
        here = f"{self._base_url}/api/v1/knowledge-engines/{engine_id}/query"
        last_event_id, text = self._listen(here, engine_id, json=question)
        if last_event_id is None:
            return
        deadline = time.monotonic() + FOLLOWED_SECONDS
        for address in itertools.cycle(self._addresses):
            events = _EVENT.findall(text)
            if events and events[-1][1] in ("done", "error"):
                break
            if time.monotonic() > deadline:
                self._wrong(engine_id, f"{last_event_id}: no end within {FOLLOWED_SECONDS:.0f} s")
                return
            time.sleep(0.2)
            path = f"{address}/api/v1/knowledge-engines/{engine_id}/query"
            after = self._after(last_event_id, text)
            _, more = self._listen(path, engine_id, headers={"Last-Event-ID": after})
            text += more
            self._ledger.count("streams gone on with at another host")
        self._judge(engine_id, last_event_id, text)

    def _listen(self, url: str, engine_id: str, **request: Any) -> tuple[str | None, str]:
        """Return a stream's id and the whole events that came until it ended or broke."""
        began, text, last_event_id = time.monotonic(), "", None
        try:
            with self._http.stream("POST", url, **request) as response:
                if response.status_code == 200:
                    last_event_id = response.headers["Last-Event-ID"] if "json" in request else None
                    for piece in response.iter_text():
                        text += piece
                elif response.status_code >= 500:
                    self._failed(began, f"POST {url}: {response.status_code}", engine_id)
                else:
                    response.read()
                    self._refused(response, engine_id, "not ready", "no active data sources")
        except httpx.TransportError as error:
            self._failed(began, f"POST {url}: {error!r}", engine_id)
        whole, end, _ = text.rpartition("\n\n")
        return last_event_id, whole + end

    def _after(self, last_event_id: str, text: str) -> str:
        numbers = [number for number, _ in _EVENT.findall(text)]
        stream_id = last_event_id.rpartition("-")[0]
        return f"{stream_id}-{numbers[-1] if numbers else 0}"

    def _judge(self, engine_id: str, stream: str, text: str) -> None:
        """See that the events are all there, in their order, and that one of them is the last."""
        events = _EVENT.findall(text)
        if [int(number) for number, _ in events] != list(range(1, len(events) + 1)):
            self._wrong(engine_id, f"{stream}: events {[number for number, _ in events]}")
        if sum(name in ("done", "error") for _, name in events) != 1:
            self._wrong(engine_id, f"{stream}: {[name for _, name in events]}")
        self._ledger.count(f"streams ended with `{events[-1][1]}`")

    def _wrong(self, engine_id: str, what: str) -> None:
        with self._ledger.lock:
            if engine_id in self._ledger.engines:  # Else the stream was deleted with it.
                self._ledger.wrong.append(f"stream {what}")


def start_clients(
    addresses: Sequence[str], seed: int, key: str, ledger: Ledger, stop: threading.Event
) -> list[threading.Thread]:
    """Let two clients of each API host begin."""
    clients = [ClusterClient(at, seed, addresses, ledger) for at in range(2 * len(addresses))]
    threads = [threading.Thread(target=one.work, args=(stop, key), daemon=True) for one in clients]
    for thread in threads:
        thread.start()
    return threads
