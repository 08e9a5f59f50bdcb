"""What is asked of an engine: questions, and searches."""

import json
from typing import Any, TypedDict

from knowledge_engine.calls import Call, path, reading
from knowledge_engine.models import Done, Message, Retrieval
from knowledge_engine.retrying import Retries
from knowledge_engine.sse import ServerSentEvent
from knowledge_engine.streaming import Stream

_LONGEST_NAME = 50


class QuestionOptions(TypedDict, total=False):
    """What can be said of a question beside its text."""

    name: str  # of the workflow, at most 50 characters; the beginning of the question if left out
    context_id: str  # the conversation that it goes on with
    advanced_reasoning: bool
    model: str  # "auto" if left out


class RetrieveOptions(TypedDict, total=False):
    """What can be said of a search beside its text."""

    top_k: int  # 5 if left out, 20 at most
    data_source_id: str  # to search in this document only
    filter: dict[str, Any]  # to search in documents only whose notes say so


def question(query: str, options: QuestionOptions) -> dict[str, Any]:
    """Return the body of a question."""
    return {"name": query[:_LONGEST_NAME], **options, "query": query}


def answer_stream(
    engine_id: str, query: str, options: QuestionOptions, retries: Retries
) -> Stream[Message | Done]:
    """Return the stream of an answer."""
    address = path("knowledge-engines", engine_id, "query")
    body = question(query, options)
    call = Call("POST", address, lambda _: None, is_repeatable=False, json=body)
    return Stream(call, _read, retries)


def retrieve(engine_id: str, query: str, options: RetrieveOptions) -> Call[Retrieval]:
    """Return the call of a search; nothing is made by it, so it may be repeated."""
    address = path("knowledge-engines", engine_id, "retrieve")
    return Call("POST", address, reading(Retrieval), json={**options, "query": query})


def _read(event: ServerSentEvent) -> Message | Done:
    if event.event == "done":
        return Done.model_validate_json(event.data)
    return Message(text=json.loads(event.data))
