"""Requests with an Idempotency-Key: done once, and answered alike however often they are sent.

A key stands for a request of its account on one route. Who works on it holds it, and says every so
often that it lives. The ids of all that a request makes follow from a secret in its row, so that
whoever comes to it after a death finds what was made, and answers with it.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

from quart import Response, g, request
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel.ext.asyncio.session import AsyncSession
from werkzeug.exceptions import HTTPException

from app import ids
from app.access import account_id
from app.current import get_services
from app.models.idempotent_request import (
    IdempotentRequest,
    answer_request,
    claim_request,
    delete_expired_request,
    delete_request,
    hold_request,
    select_request,
)
from app.reading import AWAY
from app.request_fingerprint import request_fingerprint
from app.services import Services
from config.errors import (
    IdempotencyKeyReused,
    InvalidIdempotencyKey,
    NotFound,
    ServiceError,
    Unavailable,
)

_logger = logging.getLogger(__name__)

Parameters = ParamSpec("Parameters")
Block = TypeVar("Block")

HEADER = "Idempotency-Key"
REPLAYED = "Idempotent-Replayed"
LONGEST_KEY = 255

DEAD_AFTER = timedelta(seconds=10)
"""A process that has not said for so long that it works on a request is taken for dead."""

WAIT_SECONDS = 30.0
"""How long a request waits for the one that came with the same key before it."""

LOOK_SECONDS = 0.2
HOLD_SECONDS = 2.0

IN_PROGRESS = "a request with this Idempotency-Key is still in progress"


@dataclass(slots=True)
class KeyedRequest:
    """A request with a key, as this process comes to it."""

    services: Services
    row: IdempotentRequest
    is_mine: bool  # nobody else works on it, and it is not answered
    is_over: bool = False
    goes_on: bool = False  # after the view has returned

    @property
    def is_repeat(self) -> bool:
        """Whether another attempt may have made something."""
        return not self.is_mine or self.row.attempt > 1

    @property
    def is_answered(self) -> bool:
        """Whether the request has had its answer before."""
        return self.row.is_answered

    @property
    def began_at(self) -> datetime:
        """When the first attempt began."""
        return self.row.created_at

    def id_of(self, kind: ids.IdKind, item: int = 0) -> str:
        """Return the id of what it makes, in every attempt the same."""
        return ids.derive_id(kind, self.row.seed, item)

    def id_of_attempt(self, kind: ids.IdKind) -> str:
        """Return the id of what each attempt makes for itself."""
        return self.id_of(kind, self.row.attempt)

    async def answered(
        self, session: AsyncSession, answer: bytes | None = None, engine_id: str | None = None
    ) -> None:
        """Note that it is answered; with what cannot be put together again, and whose that is."""
        await answer_request(session, self.row, answer, engine_id)
        self.is_over = True

    async def forget(self) -> None:
        """Give the key back: nothing was made, and the same request may be carried out again."""
        async with self.services.database.transaction() as session:
            await delete_request(session, self.row)
        self.is_over = True

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Say that it is worked on; if that ends without an answer, let others have it."""
        beats = self.services.in_background(self._beat())
        try:
            yield
        finally:
            beats.cancel()
            if not self.is_over and not self.goes_on:
                self.services.in_background(self._hold(timedelta()))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HOLD_SECONDS)
            await self._hold(DEAD_AFTER)

    async def _hold(self, time: timedelta) -> None:
        try:
            async with self.services.database.transaction() as session:
                await hold_request(session, self.row, time)
        except (*AWAY, PoolTimeout) as error:
            _logger.warning("A request with a key cannot be held: %s", error)


View = Callable[Parameters, Awaitable[Response]]
Again = Callable[..., Awaitable[Response | None]]
Work = Callable[Parameters, Coroutine[Any, Any, None]]


def idempotent(again: Again) -> Callable[[View[Parameters]], View[Parameters]]:
    """Let a view carry out a request with a key once.

    `again` is called with the request and what the view is called with. It answers from what an
    attempt before this one has made; None or `NotFound` say that there is nothing, or not yet.
    """

    def decorate(view: View[Parameters]) -> View[Parameters]:
        @wraps(view)
        async def once(*args: Parameters.args, **place: Parameters.kwargs) -> Response:
            # Who resumes a stream asks for nothing new.
            if HEADER not in request.headers or "Last-Event-ID" in request.headers:
                return await view(*args, **place)
            return await _once(
                lambda keyed: again(keyed, *args, **place), partial(view, *args, **place)
            )

        return once

    return decorate


def keyed_request() -> KeyedRequest | None:
    """Return the request that is being carried out, where it came with a key."""
    keyed: KeyedRequest | None = g.get("keyed_request")
    return keyed


def id_for(kind: ids.IdKind, item: int = 0) -> str:
    """Return the id of what this request makes: a new one where it has no key."""
    keyed = keyed_request()
    return ids.new_id(kind) if keyed is None else keyed.id_of(kind, item)


def lasting(work: Work[Parameters]) -> Work[Parameters]:
    """Return work that goes on after the view and holds the key until it ends.

    The work itself says whether the request is answered.
    """
    keyed = keyed_request()
    if keyed is None:
        return work
    keyed.goes_on = True

    async def held(*args: Parameters.args, **options: Parameters.kwargs) -> None:
        keyed.goes_on = False
        async with keyed.held():
            await work(*args, **options)

    return held


def lasting_stream(blocks: AsyncGenerator[Block, None]) -> AsyncGenerator[Block, None]:
    """Return a stream that holds the key until it ends; at its own end it is the answer."""
    keyed = keyed_request()
    if keyed is None:
        return blocks
    keyed.goes_on = True

    async def held() -> AsyncGenerator[Block, None]:
        keyed.goes_on = False
        async with keyed.held(), aclosing(blocks):
            async for block in blocks:
                yield block
            await _finish(keyed)

    return held()


async def _once(again: Again, view: Callable[[], Awaitable[Response]]) -> Response:
    key = request.headers[HEADER]
    if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
        raise InvalidIdempotencyKey
    asked = IdempotentRequest(
        account_id=account_id(),
        route=str(request.url_rule),
        key=key,
        fingerprint=await request_fingerprint(),
        seed=secrets.token_bytes(32),
    )
    loop = asyncio.get_running_loop()
    wait_until = loop.time() + WAIT_SECONDS
    while True:
        keyed = await _claim(get_services(), asked)
        if keyed.is_mine:
            return await _carry_out(keyed, again, view)
        response = await _replay(keyed, again)
        if response is not None:
            return response
        if loop.time() > wait_until:
            raise Unavailable(IN_PROGRESS)
        await asyncio.sleep(LOOK_SECONDS)


async def _claim(services: Services, asked: IdempotentRequest) -> KeyedRequest:
    """Take a request, or find out who has it.

    Raises:
        IdempotencyKeyReused: the key stands for another one.
    """
    stored = None
    while stored is None:
        async with services.database.transaction() as session:
            await delete_expired_request(session, asked)
            if mine := await claim_request(session, asked, DEAD_AFTER):
                return KeyedRequest(services, mine, is_mine=True)
            stored = await select_request(session, asked)
    if stored.fingerprint != asked.fingerprint:
        raise IdempotencyKeyReused
    return KeyedRequest(services, stored, is_mine=False)


async def _carry_out(
    keyed: KeyedRequest, again: Again, view: Callable[[], Awaitable[Response]]
) -> Response:
    async with keyed.held():
        response = await _replay(keyed, again) if keyed.is_repeat else None
        if response is None:
            response = await _do(keyed, view)
        if not keyed.is_over and not keyed.goes_on:
            await _finish(keyed)
    return response


async def _do(keyed: KeyedRequest, view: Callable[[], Awaitable[Response]]) -> Response:
    g.keyed_request = keyed
    try:
        return await view()
    except (ServiceError, HTTPException) as error:
        status = error.status_code if isinstance(error, ServiceError) else error.code
        if status is not None and status < 500:
            await keyed.forget()
        raise


async def _replay(keyed: KeyedRequest, again: Again) -> Response | None:
    """Answer with what is there of it, or return None where it has never been."""
    try:
        response = await again(keyed)
    except NotFound:
        if keyed.is_answered:
            raise  # It was deleted.
        return None
    if response is not None:
        response.headers[REPLAYED] = "true"
    return response


async def _finish(keyed: KeyedRequest) -> None:
    async with keyed.services.database.transaction() as session:
        await keyed.answered(session)
