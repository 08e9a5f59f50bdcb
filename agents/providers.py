"""Calls of language models: their words, what they cost, and what to do when they fail.

This imports LiteLLM, which takes seconds, so it is itself imported late.
"""

import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import litellm

from agents.auto_rules import estimated_tokens
from agents.clean_words import WordCleaner, clean
from agents.deployments import Deployments
from agents.provider_faults import (
    FAILURES,
    ProviderFailed,
    UnusableAnswer,
    may_be_the_questions_fault,
    plain_words,
)
from agents.provider_words import Ending, words_of
from agents.usage import Purpose, Step, Usage
from config.errors import ExtractionFailed, PromptTooLong, RequestRefused
from config.model_table import Deployment, ModelTable, OutputMode

_NO_DEPLOYMENT = "the model has no deployment"
_EMPTY = "the model gave an empty answer"
_BROKEN_OFF = "the model provider broke the answer off"
_NO_RESPONSE = "the model provider failed"

_logger = logging.getLogger(__name__)

Messages = Sequence[Mapping[str, Any]]


@dataclass(slots=True)
class _Call:
    """One call, of whichever deployment the Router chooses for a target."""

    target: str
    messages: Messages
    step: Step
    deployment_id: str = ""


class Providers:
    """The models of the routing file; where one deployment fails, the next is asked."""

    def __init__(self, table: ModelTable) -> None:
        litellm.suppress_debug_info = True
        litellm.drop_params = True
        # Tokens are counted with what LiteLLM brings along; nothing is fetched for it.
        litellm.disable_hf_tokenizer_download = True
        self._deployments = Deployments(table)

    def failing(self) -> set[str]:
        """Return the models all of whose deployments have failed lately."""
        return self._deployments.failing()

    def close(self) -> None:
        """Let go of what LiteLLM keeps of this."""
        self._deployments.close()

    async def stream(
        self, model: str, messages: Messages, usage: Usage
    ) -> AsyncGenerator[str, None]:
        """Yield the words of the first deployment that speaks.

        Raises:
            ProviderFailed: no deployment answers, or one fails after its first word.
        """
        failure = _NO_DEPLOYMENT
        for target in self._deployments.targets(model):
            with usage.step(Purpose.ANSWER, model) as step:
                call = self._begin(target, messages, step)
                try:
                    async with aclosing(self._words(call)) as words:
                        async for word in words:
                            yield word
                except FAILURES as error:
                    failure = self._note(error, call)
                else:
                    return
            if step.first_word_seconds is not None:
                break
        raise ProviderFailed(failure)

    async def complete(
        self, model: str, messages: Messages, usage: Usage, purpose: Purpose, **options: Any
    ) -> str:
        """Return the whole text of the first deployment that answers; `options` are LiteLLM's.

        Raises:
            ProviderFailed: no deployment answers.
        """
        failure = _NO_DEPLOYMENT
        for target in self._deployments.targets(model):
            with usage.step(purpose, model) as step:
                call = self._begin(target, messages, step)
                try:
                    return await self._text(call, options)
                except FAILURES as error:
                    failure = self._note(error, call)
        raise ProviderFailed(failure)

    async def respond(
        self, model: str, messages: Messages, usage: Usage, **options: Any
    ) -> litellm.ModelResponse:
        """Return LiteLLM's response of the first deployment that answers, for structured output.

        Raises:
            RequestRefused: the last deployment takes no request of this form.
            PromptTooLong: its window is too small.
            ExtractionFailed: no deployment answers.
        """
        failure = ExtractionFailed(_NO_DEPLOYMENT)
        for target in self._deployments.targets(model):
            with usage.step(Purpose.EXTRACT, model) as step:
                call = self._begin(target, messages, step)
                try:
                    return await self._response(call, options)
                except FAILURES as error:
                    failure = _extraction_failure(error, self._note(error, call))
        raise failure

    def output_modes(self, model: str) -> tuple[OutputMode, ...]:
        """Return how a model can be made to answer in a given form, the tightest way first.

        That of the first deployment, which usually answers. What LiteLLM knows nothing of, such as
        a server of one's own, is tried with a schema: most take one, and the others refuse it.
        """
        names = [deployment.model for deployment in self._deployments.of(model)]
        takes_tools = bool(names) and litellm.supports_function_calling(names[0])
        if takes_tools and not litellm.supports_response_schema(names[0]):
            return (OutputMode.TOOLS, OutputMode.JSON)
        return (OutputMode.JSON_SCHEMA, OutputMode.JSON)

    def _begin(self, target: str, messages: Messages, step: Step) -> _Call:
        call = _Call(target, messages, step)
        if deployment_id := self._deployments.only_one_of(target):
            self._is_with(call, deployment_id)
        return call

    def _is_with(self, call: _Call, deployment_id: str) -> None:
        call.deployment_id = deployment_id
        call.step.deployment = self._deployments[deployment_id].model

    async def _words(self, call: _Call) -> AsyncGenerator[str, None]:
        response = await self._ask(call, stream=True, stream_options={"include_usage": True})
        cleaner = WordCleaner()
        said: list[str] = []
        ending = Ending()
        try:
            async with aclosing(words_of(response, ending)) as words:
                async for raw in words:
                    if word := cleaner.feed(raw):
                        if not said:
                            call.step.note_first_word()
                        said.append(word)
                        yield word
        finally:
            # A caller that stops listening must stop the provider too.
            await response.aclose()
            self._count(call, "".join(said), ending.tokens)
            call.step.is_estimated = ending.is_estimated
        if not said:
            raise UnusableAnswer(_EMPTY)
        if not ending.is_whole:
            raise UnusableAnswer(_BROKEN_OFF)
        self._deployments.resume(call.deployment_id)

    async def _text(self, call: _Call, options: Mapping[str, Any]) -> str:
        response = await self._ask(call, **options)
        text = clean(response.choices[0].message.content or "") if response.choices else ""
        self._count(call, text, _tokens(response))
        if not text:
            raise UnusableAnswer(_EMPTY)
        self._deployments.resume(call.deployment_id)
        return text

    async def _response(self, call: _Call, options: Mapping[str, Any]) -> litellm.ModelResponse:
        # LiteLLM would look for tools of its own, and for that load its proxy, for seconds.
        response = await self._ask(call, **options, _skip_mcp_handler=True)
        said = _said(response)
        self._count(call, said, _tokens(response))
        if not said:
            raise UnusableAnswer(_EMPTY)
        self._deployments.resume(call.deployment_id)
        return response

    async def _ask(self, call: _Call, **options: Any) -> Any:
        # LiteLLM writes into the messages.
        response = await self._deployments.router.acompletion(
            model=call.target, messages=[dict(message) for message in call.messages], **options
        )
        if response is None:
            # What LiteLLM makes of a status 422.
            raise UnusableAnswer(_NO_RESPONSE)
        self._is_with(call, response._hidden_params["model_id"])
        return response

    def _count(self, call: _Call, text: str, tokens: tuple[int, int] | None) -> None:
        """Note the tokens of a call, and their price; without a count they are estimated."""
        step = call.step
        step.is_estimated = tokens is None
        if tokens is None:
            asked = (message.get("content") for message in call.messages)
            prompt_tokens = sum(estimated_tokens(one) for one in asked if type(one) is str)
            tokens = prompt_tokens, estimated_tokens(text)
        step.prompt_tokens, step.completion_tokens = (max(count, 0) for count in tokens)
        step.price_usd = _price(self._deployments[call.deployment_id], step)

    def _note(self, error: Exception, call: _Call) -> str:
        """Log a failure by its kind, let the deployment rest, and return what can be shown."""
        if failed_id := getattr(error, "failed_deployment_id", None):
            self._is_with(call, failed_id)
        _logger.warning("%s failed: %s", call.deployment_id or call.target, type(error).__name__)
        if call.deployment_id and not may_be_the_questions_fault(error):
            self._deployments.rest(call.deployment_id, error)
        call.step.error = plain_words(error)
        return call.step.error


def _tokens(response: litellm.ModelResponse) -> tuple[int, int] | None:
    """Return the tokens of the prompt and of the answer, if they were counted."""
    usage = getattr(response, "usage", None)
    return usage and (usage.prompt_tokens or 0, usage.completion_tokens or 0)


def _said(response: litellm.ModelResponse) -> str:
    """Return the words of an answer, or the arguments of the function that it calls."""
    if not response.choices:
        return ""
    message = response.choices[0].message
    calls = message.tool_calls or []
    return str(message.content or "") or "".join(one.function.arguments or "" for one in calls)


def _extraction_failure(error: Exception, words: str) -> ExtractionFailed:
    """Return what the caller is told of a failure, and can act upon."""
    if isinstance(error, litellm.ContextWindowExceededError):
        return PromptTooLong(words)
    # A status 422, the answer of some servers to what they do not know, comes as no response.
    is_no_response = isinstance(error, UnusableAnswer) and words == _NO_RESPONSE
    if isinstance(error, litellm.BadRequestError) or is_no_response:
        return RequestRefused(words)
    return ExtractionFailed(words)


def _price(deployment: Deployment, step: Step) -> float | None:
    """Return what a step cost by the routing file, else by LiteLLM's list; None if by neither."""
    if deployment.price is not None:
        return deployment.price.of(step.prompt_tokens, step.completion_tokens)
    _, _, name = deployment.model.partition("/")
    listed = litellm.model_cost.get(deployment.model) or litellm.model_cost.get(name) or {}
    try:
        return float(
            listed["input_cost_per_token"] * step.prompt_tokens
            + listed["output_cost_per_token"] * step.completion_tokens
        )
    except KeyError:
        return None
