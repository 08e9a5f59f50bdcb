"""The one place that speaks to language models, and to the built-in answerer in their stead.

LiteLLM takes seconds to import, and much memory. So it is loaded, in a thread, when the first
question is on its way (`warm_up`), and never where no model is enabled.
"""

import asyncio
import base64
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from agents.built_in import Embed, answer_words
from agents.prompts import Message, render_figure_messages
from agents.usage import Purpose, Usage
from config.errors import AnswerFailed
from config.model_table import BUILT_IN, ModelTable, OutputMode
from indexing.figures import DescriptionFailed

if TYPE_CHECKING:
    from agents.providers import Providers

COMPLETION_TOKENS = 2_000
"""The most a model may say where nobody reads it; some think at length before they speak."""

COMPLETION_SECONDS = 30.0


class LLMGateway:
    """Gets answers from the deployments behind a public model identifier, and notes what they cost.

    Figures are described by `vision_model`, one of the identifiers; without it, by none.
    """

    def __init__(self, table: ModelTable, embed: Embed, vision_model: str = "") -> None:
        self._table = table
        self._embed = embed
        self._vision_model = vision_model
        self._providers: Providers | None = None
        self._lock = threading.Lock()

    async def warm_up(self) -> None:
        """Load LiteLLM if there is use for it, so that the first answer does not wait for it."""
        if any(model.is_enabled for model in self._table.all_models.values()):
            await self._loaded()

    def use(self, table: ModelTable) -> None:
        """Use another routing table from the next question on; no deployment counts as failing."""
        with self._lock:
            self._table = table
            if self._providers is not None:
                self._providers.close()
            self._providers = None

    def failing(self) -> set[str]:
        """Return the identifiers all of whose deployments have failed lately."""
        return set() if self._providers is None else self._providers.failing()

    async def stream(
        self,
        model: str,
        messages: Sequence[Message],
        usage: Usage | None = None,
        *,
        alternatives: Sequence[str] = (),
    ) -> AsyncGenerator[str, None]:
        """Yield a model's words as they come; `usage.answered_by` says which model's.

        Another deployment of the model, and then one of the alternatives, is asked only before the
        first word.

        Raises:
            AnswerFailed: no model answers, or one fails after its first word.
        """
        usage = Usage() if usage is None else usage
        failure = AnswerFailed("no model was asked")
        for one in (model, *alternatives):
            has_spoken = False
            try:
                async with aclosing(self._words(one, messages, usage)) as words:
                    async for word in words:
                        has_spoken = True
                        yield word
            except AnswerFailed as error:
                failure = error
            else:
                return
            if has_spoken:
                break
        raise failure

    async def complete(
        self,
        model: str,
        messages: Sequence[Message],
        usage: Usage | None = None,
        *,
        purpose: Purpose,
    ) -> str:
        """Return a text that a model (not the built-in answerer) writes for the service itself.

        Raises:
            AnswerFailed: none of its deployments answers in time.
        """
        providers = await self._loaded()
        from agents.provider_faults import ProviderFailed

        try:
            return await providers.complete(
                model,
                messages,
                Usage() if usage is None else usage,
                purpose,
                temperature=0,
                max_tokens=COMPLETION_TOKENS,
                timeout=COMPLETION_SECONDS,
            )
        except ProviderFailed as error:
            raise AnswerFailed(str(error)) from error

    def acompletion(self, model: str, usage: Usage) -> Callable[..., Awaitable[Any]]:
        """Return what asks a model as `litellm.acompletion` does, for structured answers.

        What is returned takes LiteLLM's options besides `model`, returns LiteLLM's response, notes
        what it costs in `usage`, and raises ExtractionFailed or one of the kinds of it.
        """

        async def ask(*, messages: Sequence[Any], **options: Any) -> Any:
            providers = await self._loaded()
            return await providers.respond(model, messages, usage, **options)

        return ask

    async def output_modes(self, model: str) -> tuple[OutputMode, ...]:
        """Return how a model can be made to answer in a given form, the tightest way first."""
        providers = await self._loaded()
        return providers.output_modes(model)

    async def describe(self, image: bytes, context: str) -> str:
        """Return what a JPEG picture shows; `context` is the text around it in its document.

        Raises:
            DescriptionFailed: no deployment of the vision model answers, or none is set.
        """
        if not self._vision_model:
            raise DescriptionFailed("no vision model is set")
        providers = await self._loaded()
        from agents.provider_faults import ProviderFailed

        image_url = f"data:image/jpeg;base64,{base64.b64encode(image).decode()}"
        messages = render_figure_messages(image_url, context)
        try:
            return await providers.complete(self._vision_model, messages, Usage(), Purpose.DESCRIBE)
        except ProviderFailed as error:
            raise DescriptionFailed(str(error)) from error

    def _words(
        self, model: str, messages: Sequence[Message], usage: Usage
    ) -> AsyncGenerator[str, None]:
        if model == BUILT_IN:
            return self._built_in_words(messages, usage)
        return self._provided_words(model, messages, usage)

    async def _built_in_words(
        self, messages: Sequence[Message], usage: Usage
    ) -> AsyncGenerator[str, None]:
        with usage.step(Purpose.ANSWER, BUILT_IN) as step:
            async for words in answer_words(messages, self._embed):
                if step.first_word_seconds is None:
                    step.note_first_word()
                yield words

    async def _provided_words(
        self, model: str, messages: Sequence[Message], usage: Usage
    ) -> AsyncGenerator[str, None]:
        providers = await self._loaded()
        from agents.provider_faults import ProviderFailed

        try:
            async with aclosing(providers.stream(model, messages, usage)) as words:
                async for word in words:
                    yield word
        except ProviderFailed as error:
            raise AnswerFailed(str(error)) from error

    async def _loaded(self) -> "Providers":
        if self._providers is not None:
            return self._providers
        return await asyncio.to_thread(self._load)

    def _load(self) -> "Providers":
        from agents import preloaded  # noqa: F401  # Now, and in this thread.
        from agents.providers import Providers

        with self._lock:
            if self._providers is not None:
                return self._providers
            self._providers = Providers(self._table)
            return self._providers
