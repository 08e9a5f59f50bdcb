"""The two ways to the service: what sends, receives and waits, and nothing else."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, closing
from typing import Any, TypeVar

import httpx

from knowledge_engine.calls import Call, Flow, ListPage, going_on
from knowledge_engine.retrying import Retries
from knowledge_engine.streaming import SILENCE_SECONDS, Stream

Result = TypeVar("Result")
Event = TypeVar("Event")


class Transport:
    """Carries out calls, flows and streams in the thread of its caller."""

    def __init__(self, http: httpx.Client, retries: Retries) -> None:
        self.http = http
        self.retries = retries

    def send(self, call: Call[Result]) -> Result:
        """Return what a call is answered."""
        request = _request(self.http, call)
        attempt = 1
        while True:
            answer = self._attempt(request)
            if isinstance(answer, httpx.Response) and answer.is_success:
                return call.read(answer)
            time.sleep(self.retries.pause_after(call, answer, attempt))
            attempt += 1

    def run(self, flow: Flow[Result]) -> Result:
        """Carry out the steps of a flow and return its result."""
        with closing(flow):
            try:
                step = next(flow)
                while True:
                    time.sleep(step.pause_seconds)
                    step = flow.send(self.send(step.call))
            except StopIteration as end:
                result: Result = end.value
                return result

    def items(self, call: Call[ListPage[Result]]) -> Iterator[Result]:
        """Yield the items of a list, and ask for the next part of it when it is wanted."""
        page = self.send(call)
        yield from page.items
        while page.after:
            page = self.send(going_on(call, page.after))
            yield from page.items

    def stream(self, stream: Stream[Event]) -> Iterator[Event]:
        """Yield the events of a stream to its end, over as many connections as it takes."""
        while not stream.is_over:
            time.sleep(stream.pause_seconds)
            request = _request(self.http, stream.next_call(), SILENCE_SECONDS)
            try:
                with closing(self.http.send(request, stream=True)) as response:
                    if not response.is_success:
                        response.read()
                    if stream.open(response):
                        for chunk in response.iter_bytes():
                            yield from stream.feed(chunk)
                            if stream.is_over:
                                return
                        stream.end()
            except httpx.RequestError as error:
                error.request = request
                stream.break_off(error)

    def _attempt(self, request: httpx.Request) -> httpx.Response | httpx.RequestError:
        try:
            return self.http.send(request)
        except httpx.RequestError as error:
            return error


class AsyncTransport:
    """Carries out calls, flows and streams in the event loop of its caller."""

    def __init__(self, http: httpx.AsyncClient, retries: Retries) -> None:
        self.http = http
        self.retries = retries

    async def send(self, call: Call[Result]) -> Result:
        """Return what a call is answered."""
        request = _request(self.http, call)
        attempt = 1
        while True:
            answer = await self._attempt(request)
            if isinstance(answer, httpx.Response) and answer.is_success:
                return call.read(answer)
            await asyncio.sleep(self.retries.pause_after(call, answer, attempt))
            attempt += 1

    async def run(self, flow: Flow[Result]) -> Result:
        """Carry out the steps of a flow and return its result."""
        with closing(flow):
            try:
                step = next(flow)
                while True:
                    await asyncio.sleep(step.pause_seconds)
                    step = flow.send(await self.send(step.call))
            except StopIteration as end:
                result: Result = end.value
                return result

    async def items(self, call: Call[ListPage[Result]]) -> AsyncIterator[Result]:
        """Yield the items of a list, and ask for the next part of it when it is wanted."""
        page = await self.send(call)
        for item in page.items:
            yield item
        while page.after:
            page = await self.send(going_on(call, page.after))
            for item in page.items:
                yield item

    async def stream(self, stream: Stream[Event]) -> AsyncIterator[Event]:
        """Yield the events of a stream to its end, over as many connections as it takes."""
        while not stream.is_over:
            await asyncio.sleep(stream.pause_seconds)
            request = _request(self.http, stream.next_call(), SILENCE_SECONDS)
            try:
                async with aclosing(await self.http.send(request, stream=True)) as response:
                    if not response.is_success:
                        await response.aread()
                    if stream.open(response):
                        async for chunk in response.aiter_bytes():
                            for event in stream.feed(chunk):
                                yield event
                            if stream.is_over:
                                return
                        stream.end()
            except httpx.RequestError as error:
                error.request = request
                stream.break_off(error)

    async def _attempt(self, request: httpx.Request) -> httpx.Response | httpx.RequestError:
        try:
            return await self.http.send(request)
        except httpx.RequestError as error:
            return error


def _request(
    http: httpx.Client | httpx.AsyncClient, call: Call[Any], timeout_seconds: float | None = None
) -> httpx.Request:
    key = {} if call.is_repeatable else {"Idempotency-Key": call.key}
    return http.build_request(
        call.method,
        call.path,
        params=call.params,
        headers={**call.headers, **key},
        json=call.json,
        data=call.form,
        files=call.files,
        timeout=timeout_seconds or http.timeout,
    )
