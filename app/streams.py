"""Streamed answers that outlive their connection.

What is sent is recorded on the way, some times a second and beside the words, never before them.
When a client comes back with the id of its last event, any API process goes on from there.
"""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta

from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel.ext.asyncio.session import AsyncSession

from app import ids
from app.access import account_id
from app.database import Database
from app.idempotency import KeyedRequest, keyed_request
from app.key_watch import KeyWatch
from app.models.knowledge_engine import KnowledgeEngine
from app.models.stream import (
    SentEvents,
    StreamPart,
    delete_stream,
    end_silent_stream,
    insert_part,
    insert_stream,
    record_streams,
    select_last_event,
    select_live_streams,
    select_parts,
    select_state,
    select_stream,
    set_workflow,
    want_stream,
)
from app.services import Services
from app.sse import COMMENT, SILENCE_SECONDS, Outbox, ServerSentEvent, error_event
from app.tenancy import act_for
from config.errors import AnswerFailed, InvalidId, NotFound, Unauthorized

_logger = logging.getLogger(__name__)

RECORD_SECONDS = 0.2
"""How often what was sent is recorded, and how often who has resumed a stream looks for more."""

GRACE_SECONDS = 0.7
"""How long an answer goes on without a client, should it come back; in a second it has to stop."""

DEAD_AFTER = timedelta(seconds=10)
"""A process that has written nothing of its live streams for so long is taken for dead."""

CLIENT_LEFT = "the client closed the stream"
"""What is said of an answer that nobody reads to its end."""

SERVICE_STOPPED = AnswerFailed("the service stopped while it was answering").message
"""What is said of an answer whose process ends, or has died."""

_PAUSE_SECONDS = 1.0
# Only if the process of who has resumed it dies: else it says when its client leaves.
_RESUMED_FOR = timedelta(seconds=15)
_SAID_AGAIN_BELOW = timedelta(seconds=10)

_STREAM = ids.IdKind("stream", "strm")
_EVENT_ID = re.compile(r"(strm_[a-z0-9]{14})-([0-9]{1,9})", re.ASCII)

_DATABASE_AWAY = (OperationalError, InterfaceError, PoolTimeout, OSError)


class LiveStream:
    """An answer that this process makes, on its way to its first client and into the record."""

    def __init__(self, stream_id: str) -> None:
        self.id = stream_id
        self.outbox = Outbox()
        self.count = 0
        self.unrecorded: list[bytes] = []
        self.workflow_id: str | None = None
        self.can_be_stopped = True
        self.stopped_because = SERVICE_STOPPED
        self.is_over = False
        self.is_recorded = False
        self.is_resumed = False
        self.left_at: float | None = None
        self._task: asyncio.Task[None] | None = None

    async def send(self, event: ServerSentEvent) -> None:
        """Send an event and put it down to be recorded; wait while the client takes nothing."""
        self.count += 1
        block = event.encode(event_id(self.id, self.count))
        if not self.is_recorded:
            self.unrecorded.append(block)
        self.is_over = event.is_last
        await self.outbox.put(block)
        if event.is_last:
            self.outbox.close()

    async def make(self, answer: "MakeAnswer") -> None:
        """Let the answer be made, until it ends or is stopped."""
        self._task = asyncio.current_task()
        try:
            await answer(self)
        finally:
            self._task = None
            self.is_over = True
            self.outbox.close()

    @property
    def is_made(self) -> bool:
        """Whether nothing of it is left to be done but to record it."""
        return self.is_over and self._task is None

    def sent(self) -> SentEvents:
        """Return what is still to be recorded."""
        return SentEvents(self.id, self.count, b"".join(self.unrecorded), self.is_over)

    def leave(self) -> None:
        """Note that the first client has gone."""
        loop = asyncio.get_running_loop()
        self.left_at = loop.time()
        self.outbox.close()
        if not self.is_over:
            loop.call_at(self.left_at + GRACE_SECONDS, self.stop_if_unwanted)

    def stop_if_unwanted(self) -> None:
        """Cancel what makes the answer when no client has been there for the time of grace."""
        if self._task is None or self.left_at is None or self.is_resumed or self.is_over:
            return
        is_grace_over = asyncio.get_running_loop().time() >= self.left_at + GRACE_SECONDS
        if is_grace_over:
            self._stop(CLIENT_LEFT)

    def stop_unauthorized(self) -> None:
        """Cancel what makes the answer: the key that asked for it is revoked."""
        self._stop(Unauthorized().message)

    def _stop(self, reason: str) -> None:
        if self._task is not None and self.can_be_stopped:
            self.can_be_stopped = False
            self.stopped_because = reason
            self._task.cancel()


MakeAnswer = Callable[[LiveStream], Awaitable[None]]


class Streams:
    """The live streams of this process, and the one task that records them all."""

    def __init__(self, services: Services, keys: KeyWatch) -> None:
        self._services = services
        self._keys = keys
        self._live: dict[str, LiveStream] = {}
        self._is_recording = False

    async def play(
        self, stream_id: str, answer: MakeAnswer, key_id: int | None
    ) -> AsyncIterator[bytes]:
        """Make an answer and yield what its first client is sent.

        Nothing is made before the first is asked for: so the client is there to be missed. When
        it has gone and nobody has resumed the stream within the time of grace, or the key is
        revoked, `answer` is cancelled; it then has to send its last event.
        """
        live = self._live[stream_id] = LiveStream(stream_id)
        if not self._is_recording:
            self._is_recording = True
            self._services.in_background(self._record())
        self._services.in_background(self._make(live, answer, key_id))
        try:
            async for block in live.outbox.blocks():
                yield block
        finally:
            live.leave()

    async def _make(self, live: LiveStream, answer: MakeAnswer, key_id: int | None) -> None:
        with self._keys.watched(key_id, live.stop_unauthorized):
            await live.make(answer)

    async def _record(self) -> None:
        """Record all live streams together, again and again, until none is left."""
        act_for(None)  # Begun by a request, it goes on for those of all accounts.
        try:
            while self._live:
                await asyncio.sleep(RECORD_SECONDS)
                try:
                    await self._write()
                    await self._tie()
                except _DATABASE_AWAY as error:
                    # What waits to be recorded is bounded: without a database no stream begins.
                    _logger.warning("Streams wait to be recorded: %s", error)
                    await asyncio.sleep(_PAUSE_SECONDS)
                for live in self._live.values():
                    live.stop_if_unwanted()
        finally:
            self._is_recording = False

    async def _write(self) -> None:
        streams = [live for live in self._live.values() if not live.is_recorded]
        sent = [live.sent() for live in streams]
        sizes = [len(live.unrecorded) for live in streams]
        async with self._services.database.reading() as session:
            held = await record_streams(session, sent)
            others = {live.id for live in streams} - held.keys()
            gone = others - await select_live_streams(session, others) if others else others
        for live, events, size in zip(streams, sent, sizes, strict=True):
            if live.id in held:
                del live.unrecorded[:size]
                live.is_recorded = events.is_over
                live.is_resumed = held[live.id]
            elif live.id in gone:
                # Deleted with its engine; or this process was taken for dead, and somebody ended
                # it. Nobody goes on with it then but the client that is here.
                live.is_recorded = True
                live.is_resumed = False
                live.unrecorded.clear()
            if live.is_resumed and live.outbox.is_full:
                live.leave()  # What was resumed must not wait for the connection that broke.

    async def _tie(self) -> None:
        """Let go of the streams that are made and recorded, each tied to its workflow."""
        for live in [one for one in self._live.values() if one.is_recorded and one.is_made]:
            if live.workflow_id is not None:
                await _tie_to_workflow(self._services.database, live.id, live.workflow_id)
            del self._live[live.id]


async def begin_stream(session: AsyncSession, engine_id: str) -> str:
    """Store a stream that is about to begin, and return its id."""
    keyed = keyed_request()
    stream_id = ids.new_id(_STREAM) if keyed is None else keyed.id_of_attempt(_STREAM)
    await insert_stream(session, stream_id, account_id(), engine_id)
    return stream_id


async def find_stream_again(
    session: AsyncSession, engine: KnowledgeEngine, keyed: KeyedRequest
) -> str | None:
    """Return the stream of a request with a key, where it has all of the answer, or will have."""
    stream_id = keyed.id_of_attempt(_STREAM)
    stream = await select_stream(session, account_id(), engine.id, stream_id)
    if stream is None:
        return None
    # Its process may have died between storing the answer and recording the end of the stream.
    is_whole = stream.workflow_id is not None or not keyed.is_answered
    return stream.id if is_whole else None


async def find_stream(
    session: AsyncSession, engine: KnowledgeEngine, last_event_id: str
) -> tuple[str, int]:
    """Return a stream's id, and the number of the event after which a client wants it.

    Raises:
        InvalidId: it is not of the form that ids of events have.
        NotFound: the account has no such stream of this engine, or has it no longer.
    """
    match = _EVENT_ID.fullmatch(last_event_id)
    if match is None:
        raise InvalidId("event")
    stream = await select_stream(session, account_id(), engine.id, match[1])
    if stream is None:
        raise NotFound(_STREAM.noun)
    # From here on the answer counts as wanted, before the first byte of the response.
    await want_stream(session, stream.id, _RESUMED_FOR)
    return stream.id, int(match[2])


def event_id(stream_id: str, number: int) -> str:
    """Write the id of a stream's event; they are numbered from 1, and 0 is before all."""
    return f"{stream_id}-{number}"


async def follow(services: Services, stream_id: str, after: int) -> AsyncIterator[bytes]:
    """Yield what a stream holds after the event of this number, to its end.

    What fails here ends this connection with an error that has no id, and not the stream.
    """
    yield COMMENT
    quiet_seconds = 0.0
    is_over = False
    try:
        while not is_over:
            is_over, after, events = await _look(services.database, stream_id, after)
            if events:
                quiet_seconds = 0.0
                yield events
            elif quiet_seconds >= SILENCE_SECONDS:
                quiet_seconds = 0.0
                yield COMMENT
            if not is_over:
                await asyncio.sleep(RECORD_SECONDS)
                quiet_seconds += RECORD_SECONDS
    except NotFound as error:
        yield error_event(error.message).encode()
    except _DATABASE_AWAY as error:
        _logger.warning("A resumed stream breaks off: %s", error)
        yield error_event("the database does not answer").encode()
    finally:
        if not is_over:
            services.in_background(_leave(services.database, stream_id))


async def _look(database: Database, stream_id: str, after: int) -> tuple[bool, int, bytes]:
    """Return whether the stream is over, its last event now, and its events after the given one.

    It is looked at without a lock: who records passes over what is held.
    """
    async with database.reading() as session:
        state = await select_state(session, stream_id)
        if state is None:
            raise NotFound(_STREAM.noun)
        is_over = state.is_over
        if not is_over and state.silence > DEAD_AFTER:
            is_over = await _end_for_the_dead(database, stream_id, after)
        elif not is_over and state.wanted_for < _SAID_AGAIN_BELOW:
            await want_stream(session, stream_id, _RESUMED_FOR)
        # Read behind the state: what is over has all its parts.
        parts = await select_parts(session, stream_id, after)
    events = []
    for part in parts:
        events.append(_events_after(part, after))
        after = part.last_event
    return is_over, after, b"".join(events)


def _events_after(part: StreamPart, after: int) -> bytes:
    """Return the events of a part that have greater numbers than this.

    Parts may overlap: one is written again, and more with it, when the connection to the database
    broke just as it was committed.
    """
    end = b"\n\n"  # Stands at the end of each event, and nowhere in it.
    events = part.events.split(end)[:-1]
    first_event = part.last_event - len(events) + 1
    return b"".join(event + end for event in events[max(after + 1 - first_event, 0) :])


async def _end_for_the_dead(database: Database, stream_id: str, after: int) -> bool:
    """End a stream whose process has died, with an error, unless it writes just now."""
    async with database.transaction() as session:
        if not await end_silent_stream(session, stream_id, DEAD_AFTER):
            return False
        # The client may have been sent more than was recorded.
        number = max(await select_last_event(session, stream_id), after) + 1
        error = error_event(SERVICE_STOPPED)
        await insert_part(session, stream_id, number, error.encode(event_id(stream_id, number)))
    return True


async def _leave(database: Database, stream_id: str) -> None:
    async with database.transaction() as session:
        # The process that makes it looks up every so often whether it is still wanted.
        await want_stream(session, stream_id, timedelta(seconds=GRACE_SECONDS - RECORD_SECONDS))


async def _tie_to_workflow(database: Database, stream_id: str, workflow_id: str) -> None:
    try:
        async with database.transaction() as session:
            await set_workflow(session, stream_id, workflow_id)
    except IntegrityError:
        # The workflow is deleted already, so this must not stay either.
        async with database.transaction() as session:
            await delete_stream(session, stream_id)
