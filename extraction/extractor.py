"""Asks a model for fields by Instructor, which is imported late: it takes a second to load."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from pydantic import BaseModel, ValidationError

from config.errors import ExtractionFailed, RequestRefused
from config.model_table import OutputMode
from extraction.log_probabilities import value_log_probabilities
from extraction.prompts import render_messages
from extraction.response_model import (
    Finding,
    attribute_of,
    response_model,
    source_position,
)
from extraction.types import Habit, RequestedField
from extraction.windows import Window

RETRIES = 2
"""How often a model may correct an answer whose values are not of their types."""

REMEMBERED_FORMS = 64
"""How many forms are kept: the same fields are asked of many documents."""

_UNREADABLE = "the model's answer cannot be read"

Acompletion = Callable[..., Awaitable[Any]]
"""Asks a model as `litellm.acompletion` does; raises ExtractionFailed or one of its kinds."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model says of a field, not yet believed."""

    field: RequestedField
    value: object  # not None
    quote: str
    source: int | None  # the position of the source it names
    log_probability: float | None  # the mean over the tokens of the value, where it is known


@dataclass(frozen=True, slots=True)
class _Manner:
    """A way to ask; the first that the provider takes is kept."""

    mode: OutputMode
    logprobs: bool


class _Unreadable(Exception):
    """An answer that is no form, filled in or not."""


class _CutOff(Exception):
    """An answer that was longer than it may be."""


class Extractor:
    """Asks a model for fields, in the tightest manner that its provider takes."""

    def __init__(self, acompletion: Acompletion, modes: Sequence[OutputMode], tokens: int) -> None:
        self._acompletion = acompletion
        self._tokens = tokens
        # The arguments of a function come without log-probabilities. Some providers refuse a
        # request that asks for them at all.
        with_schema = OutputMode.JSON_SCHEMA in modes[:1]
        self._manners = [_Manner(mode, logprobs=False) for mode in modes]
        if with_schema:
            self._manners.insert(0, _Manner(OutputMode.JSON_SCHEMA, logprobs=True))

    async def ask(self, window: Window, habits: Sequence[Habit]) -> list[Answer]:
        """Return what the model finds in a window; a field it does not find is left out.

        A value is of its field's type, or can be made one; whether it is true is another matter.
        An answer that is cut off is asked for again in halves.

        Raises:
            PromptTooLong: the window is larger than the model's.
            ExtractionFailed: no deployment answers, or what it says cannot be read.
        """
        options = repr([field.options for field in window.fields])
        form = await asyncio.to_thread(_form, tuple(window.fields), tuple(habits), options)
        messages = render_messages(window.fields, window.pieces)
        try:
            response, filled_in = await self._respond(form, messages)
        except _CutOff:
            return await self._ask_halves(window, habits)
        certainties = value_log_probabilities(response)
        answers = []
        for position, field in enumerate(window.fields):
            finding = getattr(filled_in, attribute_of(position))
            if finding is not None:
                answers.append(_answer(field, finding, habits, certainties.get(position)))
        return answers

    async def _ask_halves(self, window: Window, habits: Sequence[Habit]) -> list[Answer]:
        middle = len(window.fields) // 2
        if not middle:
            return []
        halves = (window.fields[:middle], window.fields[middle:])
        found = [await self.ask(Window(half, window.pieces), habits) for half in halves]
        return [answer for answers in found for answer in answers]

    async def _respond(
        self, form: type[BaseModel], messages: list[dict[str, str]]
    ) -> tuple[Any, BaseModel]:
        """Ask in the first manner that is taken, and understood."""
        while True:
            manner = self._manners[0]
            try:
                return await self._respond_in(manner, form, messages)
            except RequestRefused:
                others = [one for one in self._manners if one != manner]
                if not others:
                    raise
            except _Unreadable as error:
                others = [one for one in self._manners if one.mode is not manner.mode]
                if not others:
                    raise ExtractionFailed(_UNREADABLE) from error
            # All calls of this extraction do without it from now on.
            self._manners = others

    async def _respond_in(
        self, manner: _Manner, form: type[BaseModel], messages: list[dict[str, str]]
    ) -> tuple[Any, BaseModel]:
        instructor, modes = await asyncio.to_thread(_load_instructor)
        from instructor.core import IncompleteOutputException, InstructorRetryException

        client = instructor.from_litellm(
            self._acompletion, mode=modes[manner.mode], async_client=True
        )
        options: dict[str, Any] = {"temperature": 0, "max_tokens": self._tokens}
        if manner.logprobs:
            options["logprobs"] = True
        try:
            filled_in, response = await client.chat.completions.create_with_completion(
                messages=messages,
                response_model=form,
                max_retries=RETRIES,
                strict=False,
                **options,
            )
        except IncompleteOutputException as error:
            raise _CutOff from error
        except InstructorRetryException as error:
            # Whatever it is wrapped in: only what the model said can be corrected.
            if not isinstance(error.__cause__, ValueError | AssertionError):
                raise error.__cause__ or error from error
            if error.last_completion is None:
                raise _Unreadable from error
            said = _json_of(error.last_completion, manner.mode)
            return error.last_completion, _without_faults(form, said)
        return response, filled_in


def _without_faults(form: type[BaseModel], said: dict[str, Any]) -> BaseModel:
    """Return what is right of an answer that the model has not managed to correct."""
    try:
        return form.model_validate(said)
    except ValidationError as error:
        faulty = {problem["loc"][0] for problem in error.errors() if problem["loc"]}
    return form.model_validate({key: value for key, value in said.items() if key not in faulty})


def _json_of(response: Any, mode: OutputMode) -> dict[str, Any]:
    message = response.choices[0].message
    calls = getattr(message, "tool_calls", None)
    text = str(calls[0].function.arguments if calls else message.content or "")
    if mode is OutputMode.JSON:
        # Other words may stand around it.
        text = text[text.find("{") : text.rfind("}") + 1]
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _Unreadable from error
    if not isinstance(said, dict):
        raise _Unreadable
    return said


def _answer(
    field: RequestedField, finding: Finding, habits: Sequence[Habit], certainty: float | None
) -> Answer:
    return Answer(
        field=field,
        value=finding.value,
        quote=finding.quote if isinstance(finding.quote, str) else "",
        source=source_position(finding, len(habits)),
        log_probability=certainty,
    )


@lru_cache(maxsize=REMEMBERED_FORMS)
def _form(
    fields: tuple[RequestedField, ...], habits: tuple[Habit, ...], options: str
) -> type[BaseModel]:
    """Return the form for these fields as Instructor takes it, its schema made.

    `options` only tells apart what Python takes for the same: 1, 1.0 and true.
    """
    instructor, _ = _load_instructor()
    form: type[BaseModel] = instructor.response_schema(response_model(fields, habits))
    form.model_json_schema()
    return form


@cache
def _load_instructor() -> tuple[Any, dict[OutputMode, Any]]:
    """Load Instructor, and say by what names it knows the modes."""
    import instructor
    import instructor.core

    modes = {
        OutputMode.JSON_SCHEMA: instructor.Mode.JSON_SCHEMA,
        OutputMode.TOOLS: instructor.Mode.TOOLS,
        OutputMode.JSON: instructor.Mode.MD_JSON,
    }
    # Loads what the first call of a client would hold everybody up for.
    instructor.from_litellm(_nobody, async_client=True)
    return instructor, modes


async def _nobody(**_: Any) -> None: ...
