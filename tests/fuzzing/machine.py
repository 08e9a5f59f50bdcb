"""Accounts at work on the API, and a model of what they must find there after each step."""

import asyncio
import hashlib
import json
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from io import BytesIO
from typing import Any, TypeVar
from urllib.parse import quote

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from quart.wrappers import Response
from werkzeug.datastructures import FileStorage

from app.deleting import RUN_LOST_ITS_SOURCE
from app.extracting import work_on
from tests.client import Client, parse_events
from tests.fuzzing.account import Account, Engine, Json
from tests.fuzzing.inputs import (
    AT_ONCE,
    BAD_FILES,
    CONTENTS,
    QUESTION,
    a_tool,
    any_notes,
    anything,
    names,
    texts,
    which_one,
)

T = TypeVar("T")
Call = Callable[[], Coroutine[Any, Any, Response]]


class Accounts(RuleBasedStateMachine):
    """Two accounts; every step is one of the first, and the second must see nothing of it.

    A test sets `loop`, in which the services live, and `new_client`, which makes an account.
    """

    loop: asyncio.AbstractEventLoop
    new_client: Callable[[], Coroutine[Any, Any, Client]]

    @initialize()
    def begin(self) -> None:
        self.account = Account(self._wait(type(self).new_client()))
        self.stranger = self._wait(type(self).new_client())
        self.ask_of_a_lease()

    # Engines

    @rule(name=names, description=texts, notes=any_notes)
    def create_engine(self, name: str, description: str, notes: Json) -> None:
        given = {"name": name, "description": description, "notes": notes}
        made = self._json(201, "POST", "/knowledge-engines", json=given)
        assert made == made | given | {"status": "ready", "data_source_count": 0}
        self.account.engines[made["id"]] = Engine(made)

    @rule(body=anything, name=anything)
    def create_engine_of_anything(self, body: Any, name: Any) -> None:
        if isinstance(body, dict):
            body["name"] = name
        response = self._call("POST", "/knowledge-engines", data=json.dumps(body), headers=_JSON)
        if response.status_code == 201:
            made = self._wait(response.get_json())
            self.account.engines[made["id"]] = Engine(made)
        else:
            self._must_fail(response, 400)

    @precondition(lambda self: self.account.engines)
    @rule(
        which=which_one,
        change=st.fixed_dictionaries({}, optional={"name": names, "notes": any_notes}),
    )
    def change_engine(self, which: int, change: Json) -> None:
        engine_id, engine = self.account.engine(which)
        engine.shown |= change
        shown = self._json(200, "PUT", f"/knowledge-engines/{engine_id}", json=change)
        assert shown == shown | change

    @precondition(lambda self: self.account.engines)
    @rule(which=which_one, receipt=st.sampled_from(["", "?receipt=true", "?receipt=false"]))
    def delete_engine(self, which: int, receipt: str) -> None:
        engine_id, _ = self.account.engine(which)
        gone = self._json(200, "DELETE", f"/knowledge-engines/{engine_id}{receipt}")
        assert (gone["id"], gone["deleted"]) == (engine_id, True)
        assert ("receipt" in gone) == receipt.endswith("true")
        self.account.forget_engine(engine_id)

    # Data sources

    @precondition(lambda self: self.account.engines)
    @rule(
        which=which_one, content=st.sampled_from(CONTENTS), name=texts.filter(bool), notes=any_notes
    )
    def upload(self, which: int, content: bytes, name: str, notes: Json) -> None:
        engine_id, engine = self.account.engine(which)
        client = self.account.client
        response = self._wait(client.upload(engine_id, content, name=name, notes=notes))
        if _digest(content) in engine.sources.values():
            assert self._must_fail(response, 400) == "Duplicate file"
        else:
            self._note_source(engine, self._must_succeed(response, 201), content)

    @precondition(lambda self: self.account.engines)
    @rule(which=which_one, content=st.sampled_from(BAD_FILES))
    def upload_what_cannot_be_read(self, which: int, content: bytes) -> None:
        engine_id, _ = self.account.engine(which)
        self._must_fail(self._wait(self.account.client.upload(engine_id, content)), 400)

    @precondition(lambda self: self.account.engines)
    @rule(which=which_one, number=st.integers(0, 5))
    def open_ticket(self, which: int, number: int) -> None:
        engine_id, engine = self.account.engine(which)
        content = f"Ticket {number}: the lift is broken."
        ticket = {"name": "t", "type": "ticket", "knowledge_engine_id": engine_id}
        response = self._call("POST", "/data-sources", json=ticket | {"content": content})
        if _digest(content.encode()) in engine.sources.values():
            assert self._must_fail(response, 400) == "Duplicate file"
        else:
            self._note_source(engine, self._must_succeed(response, 201), content.encode())

    @precondition(lambda self: self.account.engines)
    @rule(which=which_one, numbers=st.lists(st.integers(0, 5), min_size=1, max_size=3))
    def open_tickets(self, which: int, numbers: list[int]) -> None:
        engine_id, engine = self.account.engine(which)
        contents = [f"Ticket {number}: the lift is broken." for number in numbers]
        ticket = {"name": "t", "type": "ticket", "knowledge_engine_id": engine_id}
        entries = json.dumps([ticket | {"content": content} for content in contents])
        part = {"data": FileStorage(BytesIO(entries.encode()), filename="data.json")}
        items = self._json(200, "POST", "/data-sources/batch", files=part)
        assert len(items) == len(contents)
        for content, item in zip(contents, items, strict=True):
            is_new = _digest(content.encode()) not in engine.sources.values()
            assert item["success"] == is_new
            if is_new:
                self._note_source(engine, item["data_source"], content.encode())

    @precondition(lambda self: self.account.has_sources)
    @rule(which=which_one)
    def read_everything(self, which: int) -> None:
        engine_id, engine = self.account.engine(which)
        self._wait(self.account.client.read_all(engine_id))
        engine.unread.clear()

    @precondition(lambda self: self.account.has_sources)
    @rule(which=which_one)
    def delete_source(self, which: int) -> None:
        engine, source_id = self.account.source(which)
        gone = self._json(200, "DELETE", f"/data-sources/{source_id}")
        assert gone == {"id": source_id, "deleted": True}
        _forget_source(engine, source_id)

    @precondition(lambda self: self.account.has_sources)
    @rule(which=which_one)
    def delete_source_twice_in_a_batch(self, which: int) -> None:
        engine, source_id = self.account.source(which)
        ids = [source_id, "ds_0000000000", source_id]
        items = self._json(200, "DELETE", "/data-sources/batch", json={"ids": ids})
        assert [item["success"] for item in items] == [True, False, False]
        _forget_source(engine, source_id)

    # Questions and runs

    def ask_of_a_lease(self) -> None:
        """Do once what all else is about, for by chance it is done in few sequences."""
        self.create_engine("Leases", "", {})
        self.upload(0, CONTENTS[0], "lease", {})
        self.read_everything(0)
        self.ask(0, "auto")
        self.extract(0, in_background=False)

    @precondition(lambda self: self.account.engines)
    @rule(which=which_one, model=st.sampled_from(["auto", "delta-4.1", "none such"]))
    def ask(self, which: int, model: str) -> None:
        engine_id, engine = self.account.engine(which)
        body = {"name": "n", "type": "query", "query": QUESTION, "knowledge_engine_id": engine_id}
        response = self._call("POST", "/workflows", json=body | {"model": model})
        if model != "auto" or not self._can_answer(engine):
            self._must_fail(response, 400)
        else:
            made = self._must_succeed(response, 201)
            assert made["status"] == "PROCESSED"
            assert made["response"]
            self.account.workflows[made["id"]] = engine_id

    @precondition(lambda self: self.account.engines)
    @rule(which=which_one)
    def stream(self, which: int) -> None:
        engine_id, engine = self.account.engine(which)
        path = f"/knowledge-engines/{engine_id}/query"
        response = self._call("POST", path, json={"name": "n", "query": QUESTION})
        if not self._can_answer(engine):
            self._must_fail(response, 400)
            return
        assert response.status_code == 200
        *words, last = parse_events(self._wait(response.get_data(as_text=True)))
        assert {word.event for word in words} <= {"message"}
        assert last.event == "done"
        assert last.data["status"] == "processed"
        assert "".join(word.data for word in words) == last.data["response"]
        self.account.workflows[last.data["id"]] = engine_id

    @precondition(lambda self: self.account.engines)
    @rule(which=which_one, query=texts.filter(bool), top_k=st.integers(-1, 10**30))
    def retrieve(self, which: int, query: str, top_k: int) -> None:
        engine_id, engine = self.account.engine(which)
        path = f"/knowledge-engines/{engine_id}/retrieve"
        response = self._call("POST", path, json={"query": query, "top_k": top_k})
        if top_k < 1:
            self._must_fail(response, 400)
            return
        found = self._must_succeed(response, 200)
        assert found["total_chunks"] == len(found["chunks"]) <= min(top_k, 20)
        sources = {chunk["data_source_id"] for chunk in found["chunks"]}
        assert sources <= engine.sources.keys() - engine.unread

    @precondition(lambda self: self.account.has_sources)
    @rule(which=which_one, in_background=st.booleans())
    def extract(self, which: int, in_background: bool) -> None:
        engine, source_id = self.account.source(which)
        engine_id = engine.shown["id"]
        body = {"tool": a_tool(engine_id, source_id), "async_response": in_background}
        response = self._call("POST", "/tool-runs", json=body)
        if source_id in engine.unread:
            self._must_fail(response, 400)
            return
        run = self._must_succeed(response, 201)
        assert run["status"] == ("queued" if in_background else "completed")
        self.account.runs[run["id"]] = engine_id

    @precondition(lambda self: self.account.runs)
    @rule(which=which_one)
    def work_on_run(self, which: int) -> None:
        run_id = _one(list(self.account.runs), which)
        self._wait(work_on(self.account.client.services, run_id))
        run = self._json(200, "GET", f"/tool-runs/{run_id}")
        assert run["status"] == "completed" or _has_lost_its_source(run)

    @precondition(lambda self: self.account.workflows)
    @rule(which=which_one)
    def delete_workflow(self, which: int) -> None:
        workflow_id = _one(list(self.account.workflows), which)
        self._json(200, "DELETE", f"/workflows/{workflow_id}")
        del self.account.workflows[workflow_id]

    @precondition(lambda self: self.account.runs)
    @rule(which=which_one)
    def delete_run(self, which: int) -> None:
        run_id = _one(list(self.account.runs), which)
        self._json(200, "DELETE", f"/tool-runs/{run_id}")
        del self.account.runs[run_id]

    # Two things at the same time

    @precondition(lambda self: self.account.has_sources)
    @rule(which=which_one, first=st.integers(0, 8), second=st.integers(0, 8))
    def do_at_the_same_time(self, which: int, first: int, second: int) -> None:
        engine, source_id = self.account.source(which)
        todo = self._things_to_do(engine.shown["id"], source_id)
        one, other = todo[first % len(todo)], todo[second % len(todo)]
        for response in self._wait(_both(one, other)):
            if response.status_code >= 400:
                self._must_fail(response, 400, 404)
        self._look_again(engine)

    def _things_to_do(self, engine_id: str, source_id: str) -> list[Call]:
        client, engine = self.account.client, f"/api/v1/knowledge-engines/{engine_id}"
        question = {"name": "n", "type": "query", "query": QUESTION}
        tool = a_tool(engine_id, source_id)
        return [
            partial(client.call, "DELETE", engine),
            partial(client.call, "PUT", engine, json={"description": "changed"}),
            partial(client.upload, engine_id, AT_ONCE),
            partial(client.call, "DELETE", f"/api/v1/data-sources/{source_id}"),
            partial(client.call, "POST", f"{engine}/retrieve", json={"query": QUESTION}),
            partial(client.call, "POST", f"{engine}/query", json=question),
            partial(
                client.call,
                "POST",
                "/api/v1/workflows",
                json=question | {"knowledge_engine_id": engine_id},
            ),
            partial(client.call, "POST", "/api/v1/tool-runs", json={"tool": tool}),
            partial(
                client.call,
                "POST",
                "/api/v1/tool-runs",
                json={"tool": tool, "async_response": True},
            ),
        ]

    def _look_again(self, engine: Engine) -> None:
        """Take over what came of two things, of which either may have been the first."""
        engine_id = engine.shown["id"]
        shown = {one["id"]: one for one in self._json(200, "GET", "/knowledge-engines")}
        if engine_id not in shown:
            self.account.forget_engine(engine_id)
            return
        engine.shown = shown[engine_id]
        sources = self._json(200, "GET", f"/knowledge-engines/{engine_id}/data-sources")
        known = engine.sources
        engine.sources = {one["id"]: known.get(one["id"], _digest(AT_ONCE)) for one in sources}
        engine.unread = {one["id"] for one in sources if one["status"] == "processing"}
        assert len(set(engine.sources.values())) == len(engine.sources)  # No file is there twice.
        for kind, here in ("workflows", self.account.workflows), ("tool-runs", self.account.runs):
            found = self._json(200, "GET", f"/{kind}?knowledge_engine_id={engine_id}")
            here.update({one["id"]: engine_id for one in found})

    # Wrong hands, and wrong names

    @rule(which=which_one, method=st.sampled_from(["GET", "PUT", "DELETE"]))
    def come_as_a_stranger(self, which: int, method: str) -> None:
        account = self.account
        sources = [one for engine in account.engines.values() for one in engine.sources]
        paths = [
            *(f"/knowledge-engines/{one}" for one in account.engines),
            *(f"/data-sources/{one}" for one in sources),
            *(f"/workflows/{one}" for one in account.workflows),
            *(f"/tool-runs/{one}" for one in account.runs),
        ]
        if paths:
            path = f"/api/v1{_one(paths, which)}"
            response = self._wait(self.stranger.call(method, path, json={"name": "stolen"}))
            self._must_fail(response, 404, 405)

    @rule(
        kind=st.sampled_from(["knowledge-engines", "data-sources", "workflows", "tool-runs"]),
        name=st.text(min_size=1, max_size=30) | st.from_regex(r"\A(kng|ds|wfl|trun)_\w{14}\Z"),
        method=st.sampled_from(["GET", "PUT", "DELETE", "POST"]),
    )
    def name_what_is_not_there(self, kind: str, name: str, method: str) -> None:
        # As some client may write it, whatever UTF-8 has to say.
        place = quote(name, safe="", errors="surrogatepass")
        response = self._call(method, f"/{kind}/{place}", json={"name": "n"})
        self._must_fail(response, 400, 404, 405)

    # What must hold at any time

    @invariant()
    def engines_are_these(self) -> None:
        shown = self._json(200, "GET", "/knowledge-engines")
        assert [one["id"] for one in shown] == list(self.account.engines)
        for one in shown:
            engine = self.account.engines[one["id"]]
            state = "processing" if engine.unread else "ready"
            now = {"status": state, "data_source_count": len(engine.sources)}
            assert one == engine.shown | now

    @invariant()
    def data_sources_are_these(self) -> None:
        for engine_id, engine in self.account.engines.items():
            shown = self._json(200, "GET", f"/knowledge-engines/{engine_id}/data-sources")
            assert [one["id"] for one in shown] == list(engine.sources)
            for one in shown:
                is_read = one["id"] not in engine.unread
                assert one["status"] == ("processed" if is_read else "processing")
                assert one["outcome"] == ("ok" if is_read else None)

    @invariant()
    def workflows_and_runs_are_these(self) -> None:
        workflows = self._json(200, "GET", "/workflows")
        runs = self._json(200, "GET", "/tool-runs")
        assert {one["id"] for one in workflows} == set(self.account.workflows)
        assert {one["id"] for one in runs} == set(self.account.runs)
        assert {one["status"] for one in workflows} <= {"PROCESSED"}
        assert {one["status"] for one in runs if not _has_lost_its_source(one)} <= {
            "queued",
            "completed",
        }

    @invariant()
    def stranger_has_nothing(self) -> None:
        for kind in ("knowledge-engines", "workflows", "tool-runs"):
            assert self._wait(self.stranger.get(f"/{kind}")) == []

    def _can_answer(self, engine: Engine) -> bool:
        return bool(engine.sources) and not engine.unread

    def _note_source(self, engine: Engine, shown: Json, content: bytes) -> None:
        engine.sources[shown["id"]] = _digest(content)
        engine.unread.add(shown["id"])

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def _call(self, method: str, path: str, **options: Any) -> Response:
        return self._wait(self.account.client.call(method, f"/api/v1{path}", **options))

    def _json(self, status: int, method: str, path: str, **options: Any) -> Any:
        return self._must_succeed(self._call(method, path, **options), status)

    def _must_succeed(self, response: Response, status: int) -> Any:
        body = self._wait(response.get_json())
        assert response.status_code == status, body
        return body

    def _must_fail(self, response: Response, *statuses: int) -> str:
        body = self._wait(response.get_json())
        assert response.status_code in statuses, (response.status_code, body)
        assert list(body) == ["error"]
        assert isinstance(body["error"], str)
        return str(body["error"])


_JSON = {"Content-Type": "application/json"}


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


async def _both(*calls: Call) -> list[Response]:
    responses = await asyncio.gather(*(call() for call in calls))
    for response in responses:
        await response.get_data()  # A stream is over when all of it is there.
    return responses


def _forget_source(engine: Engine, source_id: str) -> None:
    del engine.sources[source_id]
    engine.unread.discard(source_id)


def _has_lost_its_source(run: Json) -> bool:
    return run["status"] == "failed" and run["error"] == RUN_LOST_ITS_SOURCE


def _one(things: Sequence[T], which: int) -> T:
    return things[which % len(things)]
