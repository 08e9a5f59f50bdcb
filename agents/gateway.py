"""The one place that speaks to language models: LiteLLM, its Router, and their errors.

LiteLLM takes seconds to import, so it is loaded when the first question is on its way
(`warm_up`), in a thread.
"""

import asyncio
import base64
import logging
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from agents.prompts import Message, render_figure_messages
from config.errors import AnswerFailed
from config.model_table import BUILT_IN, Deployment, ModelTable
from indexing.figures import DescriptionFailed

if TYPE_CHECKING:
    from agents.built_in import Embed

_logger = logging.getLogger(__name__)

_BUILT_IN_DEPLOYMENT = "built_in/extractive"


class LLMGateway:
    """Streams answers from the deployments behind a public model identifier.

    Figures are described by `vision_model`, one of the identifiers; without it, by none.
    """

    def __init__(self, table: ModelTable, embed: "Embed", vision_model: str = "") -> None:
        self._table = table
        self._embed = embed
        self._vision_model = vision_model
        self._router: Any = None
        self._lock = threading.Lock()

    async def warm_up(self) -> None:
        """Load LiteLLM, so that the first answer does not wait for it."""
        await asyncio.to_thread(self._load)

    async def stream(self, model: str, messages: Sequence[Message]) -> AsyncIterator[str]:
        """Yield a model's words as they come; its deployments are tried in order.

        Another deployment is tried only before the first word.

        Raises:
            AnswerFailed: no deployment answers, or one fails after its first word.
        """
        await self.warm_up()
        import openai  # Every error of LiteLLM derives from one of its errors.

        failure: openai.OpenAIError | None = None
        for group in self._groups(model):
            has_spoken = False
            try:
                async for word in self._words(group, messages):
                    has_spoken = True
                    yield word
            except openai.OpenAIError as error:
                _logger.warning("%s failed: %s", group, type(error).__name__)
                failure = error
                if has_spoken:
                    break
            else:
                return
        raise AnswerFailed(_plain_words(failure)) from failure

    async def describe(self, image: bytes, context: str) -> str:
        """Return what a JPEG picture shows; `context` is the text around it in its document.

        The deployments of the vision model are tried in order.

        Raises:
            DescriptionFailed: none of them answers, or no vision model is set.
        """
        if not self._vision_model:
            raise DescriptionFailed("no vision model is set")
        await self.warm_up()
        import openai

        failure: openai.OpenAIError | None = None
        image_url = f"data:image/jpeg;base64,{base64.b64encode(image).decode()}"
        messages = render_figure_messages(image_url, context)
        for group in self._groups(self._vision_model):
            try:
                return await self._whole_answer(group, messages)
            except openai.OpenAIError as error:
                _logger.warning("%s failed: %s", group, type(error).__name__)
                failure = error
        raise DescriptionFailed(_plain_words(failure)) from failure

    async def _whole_answer(self, group: str, messages: Sequence[dict[str, Any]]) -> str:
        import openai

        response = await self._router.acompletion(model=group, messages=messages)
        if response is None or not response.choices:
            # What LiteLLM makes of a status 422.
            raise openai.OpenAIError("no response")
        return response.choices[0].message.content or ""

    async def _words(self, group: str, messages: Sequence[Message]) -> AsyncIterator[str]:
        import openai

        response = await self._router.acompletion(
            model=group, messages=[dict(message) for message in messages], stream=True
        )
        if response is None:
            # What LiteLLM makes of a status 422.
            raise openai.OpenAIError("no response")
        try:
            async for part in response:
                if part.choices and (word := part.choices[0].delta.content):
                    yield word
        finally:
            # A caller that stops listening must stop the provider too.
            await response.aclose()

    def _groups(self, model: str) -> list[str]:
        if model == BUILT_IN:
            return [BUILT_IN]
        count = len(self._table.models[model].deployments)
        return [_group(model, number) for number in range(count)]

    def _load(self) -> None:
        with self._lock:
            if self._router is None:
                self._router = self._make_router()

    def _make_router(self) -> Any:
        import litellm

        from agents.built_in import BuiltInProvider

        litellm.suppress_debug_info = True
        litellm.drop_params = True
        provider, _, _ = _BUILT_IN_DEPLOYMENT.partition("/")
        litellm.custom_provider_map = [
            {"provider": provider, "custom_handler": BuiltInProvider(self._embed)}
        ]
        deployments = [{"model_name": BUILT_IN, "litellm_params": {"model": _BUILT_IN_DEPLOYMENT}}]
        for model in self._table.models.values():
            for number, deployment in enumerate(model.deployments):
                entry = {
                    "model_name": _group(model.identifier, number),
                    "litellm_params": _litellm_params(deployment),
                }
                deployments.append(entry)
        # A cooldown would refuse the next question with an error that says nothing of the cause.
        return litellm.Router(
            model_list=deployments, num_retries=1, retry_after=0, disable_cooldowns=True
        )


def _group(model: str, number: int) -> str:
    return f"{model}#{number + 1}"


def _litellm_params(deployment: Deployment) -> dict[str, Any]:
    params: dict[str, Any] = {
        "model": deployment.model,
        "timeout": deployment.timeout_seconds,
        "stream_timeout": deployment.timeout_seconds,
        # OpenAI's client refuses to start without a key, also where the server asks for none.
        "api_key": deployment.api_key or "none",
    }
    if deployment.api_base:
        params["api_base"] = deployment.api_base
    return params


def _plain_words(error: Exception | None) -> str:
    """Say what went wrong without repeating what the provider said: it may quote the key."""
    import httpx
    import openai

    reasons: list[tuple[tuple[type[Exception], ...], str]] = [
        ((openai.AuthenticationError,), "the model provider refused the service's credentials"),
        ((openai.PermissionDeniedError,), "the model provider refused access to the model"),
        ((openai.RateLimitError,), "the model provider is limiting the rate of requests"),
        (
            (openai.APITimeoutError, httpx.TimeoutException),
            "the model provider did not answer in time",
        ),
        ((openai.NotFoundError,), "the model provider does not know the model"),
        ((openai.BadRequestError,), "the model provider rejected the request"),
        ((openai.APIConnectionError,), "the model provider cannot be reached"),
    ]
    causes = list(_causes(error))
    for kinds, words in reasons:
        if any(isinstance(cause, kinds) for cause in causes):
            return words
    return "the model provider failed"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what it came from: LiteLLM often has a vaguer name for the same thing."""
    seen: set[int] = set()
    # An error that is raised again while it is handled can come round to itself.
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
