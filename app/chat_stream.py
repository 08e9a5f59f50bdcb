"""An answer as a stream of OpenAI's chunks; it ends when its client leaves."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from agents.answering import Answer, Delta
from app.asking import Asked, ask, store_answer, store_broken_off
from app.chat_annotations import annotate, with_numbers
from app.idempotency import lasting
from app.key_watch import KeyWatch
from app.models.workflow import Workflow
from app.schemas_chat import ChatErrorResponse, TokenUsage
from app.services import Services
from app.sse import Outbox
from app.streams import CLIENT_LEFT, SERVICE_STOPPED
from config.errors import ServiceError, Unauthorized

_logger = logging.getLogger(__name__)


@dataclass
class Chat:
    """An answer on its way to its client."""

    id: str
    model: str  # as the client has named it
    base_url: str
    key_id: int | None  # which links to files are made with
    include_usage: bool
    created: int  # in seconds since 1970
    outbox: Outbox = field(default_factory=Outbox)
    can_be_stopped: bool = True
    stopped_because: str = SERVICE_STOPPED
    is_stored: bool = False
    answering: asyncio.Task[None] | None = None

    def stop_unauthorized(self) -> None:
        """Stop the answer: the key that asked for it is revoked."""
        self.stop(Unauthorized().message)

    def stop(self, reason: str) -> None:
        """Stop the answer, unless all of it is said."""
        if self.can_be_stopped and self.answering is not None:
            self.can_be_stopped = False
            self.stopped_because = reason
            self.answering.cancel()

    async def send(self, delta: dict[str, Any], finish_reason: str | None = None) -> None:
        """Send a chunk of the answer; wait while the client takes nothing."""
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        await self._send_chunk([choice], None)

    async def end(self, usage: TokenUsage) -> None:
        """Send what comes behind the answer."""
        if self.include_usage:
            await self._send_chunk([], usage.model_dump())
        await self.outbox.put(b"data: [DONE]\n\n")
        self.outbox.close()

    async def fail(self, message: str) -> None:
        """End the stream with an error."""
        await self._put(ChatErrorResponse.of(message, 500).model_dump())
        self.outbox.close()

    async def _send_chunk(
        self, choices: list[dict[str, Any]], usage: dict[str, Any] | None
    ) -> None:
        chunk: dict[str, Any] = {
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.model,
            "choices": choices,
        }
        if self.include_usage:
            chunk["usage"] = usage
        await self._put(chunk)

    async def _put(self, data: dict[str, Any]) -> None:
        # In ASCII, for clients that see a line end in U+2028 as well.
        await self.outbox.put(f"data: {json.dumps(data)}\n\n".encode())


def play(services: Services, keys: KeyWatch, chat: Chat, asked: Asked) -> AsyncIterator[bytes]:
    """Return the stream of an answer; without its client or its key the model is stopped."""

    async def answer() -> None:
        with keys.watched(chat.key_id, chat.stop_unauthorized):
            await _answer(services, chat, asked)

    return _play(services, chat, lasting(answer))


def play_again(services: Services, chat: Chat, workflow: Workflow) -> AsyncIterator[bytes]:
    """Return the stream of an answer that is stored."""
    return _play(services, chat, partial(_tell, services, chat, workflow))


async def _play(
    services: Services, chat: Chat, answer: Callable[[], Coroutine[Any, Any, None]]
) -> AsyncIterator[bytes]:
    chat.answering = services.in_background(answer())
    try:
        async for block in chat.outbox.blocks():
            yield block
    finally:
        chat.outbox.close()
        chat.stop(CLIENT_LEFT)


async def _answer(services: Services, chat: Chat, asked: Asked) -> None:
    """Send the chunks of one answer; whatever ends it early, what was said is stored."""
    said: list[str] = []
    try:
        await chat.send({"role": "assistant", "content": ""})
        async for event in ask(services, asked):
            match event:
                case Delta(text):
                    said.append(text)
                    # A key is never cut in two.
                    await chat.send({"content": with_numbers(text)})
                case Answer() as answer:
                    await _finish(services, chat, asked, answer)
    except ServiceError as error:
        failure = error.message
    except asyncio.CancelledError:
        failure = chat.stopped_because
    except Exception:  # The stream's last guard: the client must be told.
        _logger.exception("An answer failed")
        failure = "Internal Server Error"
    else:
        return
    await _break_off(services, chat, asked, Answer("".join(said)), failure)


async def _finish(services: Services, chat: Chat, asked: Asked, answer: Answer) -> None:
    """Store the whole answer, and send where its sources are found."""
    chat.can_be_stopped = False  # All is said, and there is nothing to stop.
    workflow = await store_answer(services, asked, answer)
    chat.is_stored = True
    await _end(services, chat, workflow)


async def _break_off(
    services: Services, chat: Chat, asked: Asked, said: Answer, failure: str
) -> None:
    """Tell the client of the failure, and store what was said, unless all of it is stored."""
    chat.can_be_stopped = False
    await chat.fail(failure)
    if not chat.is_stored:
        await store_broken_off(services, asked, said, failure)


async def _tell(services: Services, chat: Chat, workflow: Workflow) -> None:
    """Send what is stored."""
    try:
        await chat.send({"role": "assistant", "content": ""})
        await chat.send({"content": with_numbers(workflow.response)})
        await _end(services, chat, workflow)
    finally:
        chat.outbox.close()


async def _end(services: Services, chat: Chat, workflow: Workflow) -> None:
    annotations = await annotate(services, workflow, chat.base_url, chat.key_id)
    delta = {"annotations": [one.model_dump() for one in annotations]}
    await chat.send(delta if annotations else {}, "stop")
    await chat.end(TokenUsage.from_workflow(workflow))
