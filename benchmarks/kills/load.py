"""The load: clients that upload, delete, search and ask, and note what they are answered."""

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx

from benchmarks.kills.documents import WORDS, Document, make_document
from benchmarks.kills.ledger import Failure, Ledger

REQUEST_SECONDS = 20.0
MOST_PENDING = 4  # uploads that a client lets wait for their reading
MOST_ENGINES = 4
FEWEST_DOCUMENTS = 8  # with fewer, none is deleted
TOP_K = 20


class Client:
    """One of the clients: it does one thing after the other, as its random numbers say."""

    def __init__(self, number: int, seed: int, base_url: str, ledger: Ledger) -> None:
        self._random = random.Random(f"{seed}/{number}")
        self._base_url = base_url
        self._ledger = ledger
        self._pending: list[str] = []
        self._http = httpx.Client()
        self._actions: dict[Callable[[], None], float] = {
            self._upload: 40,
            self._retrieve: 20,
            self._stream: 8,
            self._ask: 8,
            self._delete: 3,
            self._create_engine: 2,
            self._delete_engine: 0.2,
        }

    def work(self, stop: threading.Event, key: str) -> None:
        """Do one thing after the other until told to stop."""
        with httpx.Client(
            base_url=f"{self._base_url}/api/v1", auth=(key, ""), timeout=REQUEST_SECONDS
        ) as self._http:
            while not stop.is_set():
                actions, weights = zip(*self._actions.items(), strict=True)
                self._random.choices(actions, weights)[0]()
                stop.wait(self._random.uniform(0.02, 0.2))
                while not self._is_up() and not stop.is_set():
                    stop.wait(0.1)

    def _is_up(self) -> bool:
        try:
            return self._http.get(f"{self._base_url}/readyz").is_success
        except httpx.TransportError:
            return False

    def _send(
        self, method: str, path: str, *, engine_id: str | None = None, **request: Any
    ) -> httpx.Response | None:
        """Return an answer; where there is none, or an error of the server's, note that."""
        began = time.monotonic()
        try:
            response = self._http.request(method, path, **request)
        except httpx.TransportError as error:
            self._failed(began, f"{method} {path}: {error!r}")
            return None
        if response.status_code >= 500:
            what = f"{method} {path}: {response.status_code} {response.text[:200].strip()}"
            self._failed(began, what, engine_id)
            return None
        return response

    def _failed(self, began: float, what: str, engine_id: str | None = None) -> None:
        with self._ledger.lock:
            if engine_id is not None and engine_id not in self._ledger.engines:
                self._ledger.counts["requests that met the deletion of their engine"] += 1
                return
            self._ledger.failures.append(Failure(began, time.monotonic(), what))

    def _refused(self, response: httpx.Response, engine_id: str, *allowed: str) -> None:
        """Judge a 400 or 404: right only where its reason is, or where the engine is going."""
        with self._ledger.lock:
            is_right = engine_id not in self._ledger.engines or any(
                text in response.text for text in allowed
            )
            if not is_right:
                where = f"{response.request.method} {response.request.url.path}"
                self._ledger.wrong.append(f"{where}: {response.status_code} {response.text[:200]}")

    def _some_engine(self) -> str | None:
        with self._ledger.lock:
            engines = sorted(self._ledger.engines)
        return self._random.choice(engines) if engines else None

    def _upload(self) -> None:
        engine_id = self._some_engine()
        if engine_id is None:
            self._create_engine()
        elif len(self._pending) >= MOST_PENDING:
            self._look_after_pending()
        else:
            self._upload_to(make_document(engine_id, self._random))

    def _upload_to(self, document: Document) -> None:
        data = {"name": document.name, "type": "file", "knowledge_engine_id": document.engine_id}
        response = self._send(
            "POST",
            "/data-sources",
            data={"data": json.dumps(data)},
            files={"file": (document.name, document.content)},
        )
        if response is None:
            return
        if response.status_code != 201:
            self._refused(response, document.engine_id, "Duplicate file")
            return
        given_id = response.json()["id"]
        with self._ledger.lock:
            self._ledger.documents[given_id] = document
            self._ledger.counts["uploads acknowledged"] += 1
        self._pending.append(given_id)

    def _look_after_pending(self) -> None:
        for given_id in list(self._pending):
            response = self._send("GET", f"/data-sources/{given_id}")
            if response is None:
                return
            if response.status_code == 404 or response.json()["status"] == "processed":
                self._pending.remove(given_id)

    def _delete(self) -> None:
        with self._ledger.lock:
            candidates = sorted(
                key
                for key, one in self._ledger.documents.items()
                if one.engine_id in self._ledger.engines
                and key not in self._ledger.deleted | self._ledger.being_deleted
            )
            if len(candidates) < FEWEST_DOCUMENTS:
                return
            given_id = self._random.choice(candidates)
            self._ledger.being_deleted.add(given_id)
            was_in_doubt = given_id in self._ledger.in_doubt
            self._ledger.in_doubt.add(given_id)
        response = self._send("DELETE", f"/data-sources/{given_id}")
        with self._ledger.lock:
            self._ledger.being_deleted.discard(given_id)
        if response is None:
            return
        if response.status_code == 404 and not was_in_doubt:
            # Right only where another client has begun to delete its engine.
            self._refused(response, self._ledger.documents[given_id].engine_id)
        with self._ledger.lock:
            self._ledger.deleted.add(given_id)
            self._ledger.counts["data sources deleted"] += response.status_code == 200

    def _create_engine(self) -> None:
        with self._ledger.lock:
            if len(self._ledger.engines) >= MOST_ENGINES:
                return
        response = self._send("POST", "/knowledge-engines", json={"name": "Killed"})
        if response is not None:
            with self._ledger.lock:
                self._ledger.engines.add(response.raise_for_status().json()["id"])
                self._ledger.counts["engines created"] += 1

    def _delete_engine(self) -> None:
        with self._ledger.lock:
            ledger = self._ledger
            candidates = sorted(ledger.engines_in_doubt)
            candidates += sorted(ledger.engines) if len(ledger.engines) > 2 else []
            if not candidates:
                return
            engine_id = self._random.choice(candidates)
            ledger.engines.discard(engine_id)
            ledger.engines_in_doubt.add(engine_id)
        response = self._send("DELETE", f"/knowledge-engines/{engine_id}")
        if response is not None:
            with self._ledger.lock:
                ledger.engines_in_doubt.discard(engine_id)
                ledger.engines_deleted.add(engine_id)
                ledger.counts["engines deleted"] += response.status_code == 200

    def _retrieve(self) -> None:
        """Search for a word of any document, there or not; what is deleted must not be found."""
        gone = self._ledger.deleted_documents()
        with self._ledger.lock:
            documents = sorted(
                (key, one)
                for key, one in self._ledger.documents.items()
                if one.engine_id in self._ledger.engines
            )
        if not documents:
            return
        _, document = self._random.choice(documents)
        path = f"/knowledge-engines/{document.engine_id}/retrieve"
        body = {"query": document.word, "top_k": TOP_K}
        response = self._send("POST", path, json=body, engine_id=document.engine_id)
        if response is None:
            return
        if response.status_code != 200:
            self._refused(response, document.engine_id)
            return
        self._ledger.count("searches answered")
        found = {chunk["data_source_id"] for chunk in response.json()["chunks"]}
        for given_id in found & gone:
            with self._ledger.lock:
                self._ledger.wrong.append(f"{given_id} is found, though it is deleted")

    def _ask(self) -> None:
        engine_id = self._some_engine()
        if engine_id is None:
            return
        question = {"name": "kills", "query": self._question(), "type": "query"}
        body = question | {"knowledge_engine_id": engine_id}
        response = self._send("POST", "/workflows", json=body, engine_id=engine_id)
        if response is None:
            return
        if response.status_code == 201:
            self._answered(response.json()["id"], engine_id)
        else:
            self._refused(response, engine_id, "not ready", "no active data sources")

    def _stream(self) -> None:
        engine_id = self._some_engine()
        if engine_id is None:
            return
        path = f"/knowledge-engines/{engine_id}/query"
        question = {"name": "kills", "query": self._question()}
        began = time.monotonic()
        try:
            with self._http.stream("POST", path, json=question) as response:
                if response.status_code >= 500:
                    self._failed(began, f"POST {path}: {response.status_code}", engine_id)
                elif response.status_code == 200:
                    self._read_events(response.iter_lines(), engine_id, began)
                else:
                    response.read()
                    self._refused(response, engine_id, "not ready", "no active data sources")
        except httpx.TransportError as error:
            self._failed(began, f"POST {path}: {error!r}")

    def _read_events(self, lines: Iterator[str], engine_id: str, began: float) -> None:
        event = ""
        for line in lines:
            name, _, value = line.partition(": ")
            event = value if name == "event" else event
            if name == "data" and event == "done":
                self._answered(json.loads(value)["id"], engine_id)
                return
            if name == "data" and event == "error":
                self._failed(began, f"stream of {engine_id}: {value}", engine_id)
                return
        self._failed(began, f"stream of {engine_id}: ended without `done` or `error`")

    def _answered(self, workflow_id: str, engine_id: str) -> None:
        with self._ledger.lock:
            self._ledger.workflows[workflow_id] = engine_id
            self._ledger.counts["questions answered"] += 1

    def _question(self) -> str:
        return f"Who pays the {self._random.choice(WORDS)}, and when is it due?"
