"""From fields and pages to values with evidence, confidence and a reason.

With a model: it reads the pages (`windows`, `extractor`), and nothing it says is believed before it
was looked up on them (`findings`). Without one the built-in extractor reads.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from config.errors import PromptTooLong
from config.model_table import DEFAULT_CONTEXT_WINDOW, OutputMode
from extraction.built_in.extract import extract_built_in
from extraction.extractor import Answer, Extractor
from extraction.findings import Findings
from extraction.habits import read_habit
from extraction.types import ExtractedField, RequestedField, SourcePages
from extraction.windows import (
    TOTAL_TOKENS,
    Limits,
    PiecesByPage,
    Retrieve,
    Window,
    choose_pieces,
    groups_of,
    pieces_of,
    windows_by_choice,
    windows_over,
)
from indexing.embedding import Vectors

CALLS_AT_ONCE = 4
"""How many calls of the model are on their way for one extraction."""

HEAD_START_SECONDS = 0.05
"""How long the first calls have the processor for themselves, to be on their way."""

NOT_FOUND = "The documents do not say."
NOT_READ = "It is not in the pages that were read; the documents are too long to be read whole."


@dataclass(frozen=True, slots=True)
class Abilities:
    """What an extraction needs of others."""

    embed: Callable[[Sequence[str]], Vectors]
    retrieve: Retrieve
    acompletion: Callable[..., Awaitable[Any]] | None = None  # None: the built-in extractor reads
    modes: Sequence[OutputMode] = (OutputMode.JSON_SCHEMA, OutputMode.JSON)  # of the model
    context_window: int = DEFAULT_CONTEXT_WINDOW  # of the model, in tokens


async def extract(
    fields: Sequence[RequestedField], sources: Sequence[SourcePages], can: Abilities
) -> AsyncGenerator[list[ExtractedField], None]:
    """Yield each field once, found or not, as soon as it is finished; with it those that also are.

    Raises:
        ExtractionFailed: the model does not answer; the fields that came before are good.
        RetrievalFailed: the index cannot be searched.
    """
    if can.acompletion is None:
        found = extract_built_in(fields, sources, can.embed)
        while (some := await asyncio.to_thread(next, found, None)) is not None:
            yield some
        return
    limits = Limits.of(can.context_window)
    extractor = Extractor(can.acompletion, can.modes, limits.answer)
    reading = await asyncio.to_thread(_Reading, sources, can.retrieve, extractor, limits)
    async with aclosing(reading.results(fields)) as results:
        async for some in results:
            yield some


class _Reading:
    """One extraction by a model: what was read of the documents, and found."""

    def __init__(
        self,
        sources: Sequence[SourcePages],
        retrieve: Retrieve,
        extractor: Extractor,
        limits: Limits,
    ) -> None:
        self._retrieve = retrieve
        self._extractor = extractor
        self._limits = limits
        self._habits = [read_habit(source.pages) for source in sources]
        self._findings = Findings(sources, self._habits)
        self._pieces = pieces_of(sources)
        self._tokens_left = TOTAL_TOKENS
        self._is_cut_short = False
        self._calls = asyncio.Semaphore(CALLS_AT_ONCE)
        self._weighing = asyncio.Lock()

    async def results(
        self, fields: Sequence[RequestedField]
    ) -> AsyncGenerator[list[ExtractedField], None]:
        """Yield the fields, and do meanwhile what needs no model."""
        ahead = asyncio.create_task(self._prepare(fields))
        try:
            async with aclosing(self._results(fields)) as results:
                async for some in results:
                    yield some
        finally:
            ahead.cancel()
            await asyncio.gather(ahead, return_exceptions=True)

    async def _prepare(self, fields: Sequence[RequestedField]) -> None:
        await asyncio.sleep(HEAD_START_SECONDS)
        for field in fields:
            async with self._weighing:
                await asyncio.to_thread(self._findings.prepare, field)

    async def _results(
        self, fields: Sequence[RequestedField]
    ) -> AsyncGenerator[list[ExtractedField], None]:
        """Yield the fields: first what is found in the likeliest pages, then in any other."""
        missing = {field.name: field for field in fields}
        is_whole = sum(piece.tokens for piece in self._pieces) <= self._limits.document
        windows = self._whole_windows(fields) if is_whole else await self._chosen_windows(fields)
        async with aclosing(self._read(windows)) as read:
            async for window in read:
                finished = [one for one in window.fields if is_whole or self._findings.has(one)]
                if finished:
                    yield await self._results_of([missing.pop(one.name) for one in finished])
        for group in groups_of(list(missing.values()), self._limits):
            if not is_whole:
                await self._search_everywhere(group)
            yield await self._results_of(group)

    def _whole_windows(self, fields: Sequence[RequestedField]) -> list[Window]:
        return list(windows_over(fields, self._pieces, self._limits))

    async def _chosen_windows(self, fields: Sequence[RequestedField]) -> list[Window]:
        by_page = PiecesByPage(self._pieces)
        # One after the other: the line of searches is for those who ask questions, too.
        chosen = {
            field: await choose_pieces(field, by_page, self._retrieve, self._limits)
            for field in fields
        }
        with_pages = {field: pieces for field, pieces in chosen.items() if pieces}
        return windows_by_choice(with_pages, self._limits)

    async def _search_everywhere(self, fields: Sequence[RequestedField]) -> None:
        """Read all pages for some fields, until each is found or the tokens are used up."""
        windows = self._whole_windows(fields)
        for first in range(0, len(windows), CALLS_AT_ONCE):
            missing = tuple(field for field in fields if not self._findings.has(field))
            if not missing:
                return
            batch = windows[first : first + CALLS_AT_ONCE]
            narrowed = [replace(window, fields=missing) for window in batch]
            async with aclosing(self._read(narrowed)) as read:
                async for _ in read:
                    pass

    async def _read(self, windows: Iterable[Window]) -> AsyncGenerator[Window, None]:
        """Yield windows as they have been read; those there are no tokens left for are left out."""
        tasks = [asyncio.create_task(self._ask(one)) for one in windows if self._take_tokens(one)]
        try:
            for done in asyncio.as_completed(tasks):
                yield await done
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _take_tokens(self, window: Window) -> bool:
        tokens = sum(piece.tokens for piece in window.pieces)
        if tokens > self._tokens_left:
            self._is_cut_short = True
            return False
        self._tokens_left -= tokens
        return True

    async def _ask(self, window: Window) -> Window:
        """Ask the model what a window has, and take down what it says."""
        async with self._calls:
            answers = await self._answers(window)
        # One at a time: it is work for the processor.
        async with self._weighing:
            await asyncio.to_thread(self._findings.add, answers)
        return window

    async def _answers(self, window: Window) -> list[Answer]:
        """Return what the model says; where its window is smaller than it is said to be, in two."""
        try:
            return await self._extractor.ask(window, self._habits)
        except PromptTooLong:
            middle = len(window.pieces) // 2
            if not middle:
                raise
        halves = (window.pieces[:middle], window.pieces[middle:])
        found = [await self._answers(replace(window, pieces=half)) for half in halves]
        return [answer for answers in found for answer in answers]

    async def _results_of(self, fields: Sequence[RequestedField]) -> list[ExtractedField]:
        async with self._weighing:
            return await asyncio.to_thread(self._weighed, fields)

    def _weighed(self, fields: Sequence[RequestedField]) -> list[ExtractedField]:
        why_nothing = NOT_READ if self._is_cut_short else NOT_FOUND
        return [self._findings.result(field, why_nothing) for field in fields]
