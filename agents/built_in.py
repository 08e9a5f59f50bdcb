"""The built-in answerer as a LiteLLM provider, so that every answer takes the same road."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

import numpy as np
from litellm import CustomLLM, ModelResponse
from litellm.types.utils import GenericStreamingChunk
from numpy.typing import NDArray

from agents.extractive import Extract, extract
from agents.prompts import Message, read_passages, read_question

NO_ANSWER = "The documents do not answer this question."

Embed = Callable[[Sequence[str]], NDArray[np.float32]]


class BuiltInProvider(CustomLLM):
    """Answers with sentences of the passages, each with its key."""

    def __init__(self, embed: Embed) -> None:
        super().__init__()
        self._embed = embed

    async def acompletion(self, *args: Any, **kwargs: Any) -> ModelResponse:
        """Return the whole answer at once."""
        content = "".join([word async for word in self._words(kwargs["messages"])])
        message = {"role": "assistant", "content": content}
        return ModelResponse(
            model=kwargs["model"],
            choices=[{"index": 0, "finish_reason": "stop", "message": message}],
        )

    async def astreaming(self, *args: Any, **kwargs: Any) -> AsyncIterator[GenericStreamingChunk]:
        """Yield the answer sentence by sentence."""
        async for word in self._words(kwargs["messages"]):
            yield _part(word, is_last=False)
        yield _part("", is_last=True)

    async def _words(self, messages: Sequence[Message]) -> AsyncIterator[str]:
        passages = read_passages(messages)
        found = await asyncio.to_thread(extract, read_question(messages), passages, self._embed)
        for word in write_answer(found):
            yield word


def write_answer(found: Extract) -> Iterator[str]:
    """Write the sentences one after the other, each with the key of its passage."""
    if not found.sentences:
        yield NO_ANSWER
    for number, sentence in enumerate(found.sentences):
        space = "\n" if number else ""
        yield f"{space}{sentence.text} <source_id={sentence.passage + 1}>"


def _part(text: str, *, is_last: bool) -> GenericStreamingChunk:
    return GenericStreamingChunk(
        text=text,
        tool_use=None,
        is_finished=is_last,
        finish_reason="stop" if is_last else "",
        usage=None,
        index=0,
    )
