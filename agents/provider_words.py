"""The words of an answer from what LiteLLM has opened, and what the provider says besides.

This imports LiteLLM, which takes seconds, so it is itself imported late.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import litellm
import openai


@dataclass(slots=True)
class Ending:
    """What a provider says of its answer besides the words."""

    is_whole: bool = False  # it has said why nothing follows
    tokens: tuple[int, int] | None = None  # of the prompt, and of the answer
    is_estimated: bool = True  # the provider has not counted the tokens


def words_of(response: litellm.CustomStreamWrapper, ending: Ending) -> AsyncGenerator[str, None]:
    """Return the words of an answer as they come; `ending` is filled in meanwhile.

    What fails is raised as LiteLLM names it.
    """
    if isinstance(response.completion_stream, openai.AsyncStream):
        return _openai_words(response, ending)
    return _litellm_words(response, ending)


async def _openai_words(
    response: litellm.CustomStreamWrapper, ending: Ending
) -> AsyncGenerator[str, None]:
    """Read a stream of OpenAI's protocol from beneath LiteLLM.

    OpenAI's client and LiteLLM make some ten objects of each part, and LiteLLM keeps one to the
    end. That is more than half of the processor time of a part, and what the garbage collector
    looks through. Here a part is the JSON that it is.
    """
    last, repeated = "", 0
    try:
        async for part in _parts(response.completion_stream.response):
            match part.get("usage"):
                case {"prompt_tokens": int(asked), "completion_tokens": int(said)}:
                    ending.tokens, ending.is_estimated = (asked, said), False
            match part.get("choices"):
                case [{"finish_reason": str()}, *_]:
                    ending.is_whole = True
            match part.get("choices"):
                case [{"delta": {"content": str(text)}}, *_] if text:
                    repeated = repeated + 1 if text == last else 0
                    _check_repetition(text, repeated, response)
                    last = text
                    yield text
    except (httpx.HTTPError, openai.APIError, ValueError) as error:
        # Whose answer is whole may hang up as it likes.
        if not ending.is_whole:
            raise litellm.exception_type(
                response.model, error, response.custom_llm_provider
            ) from error


async def _parts(response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
    """Yield the parts of an answer: Server-Sent Events of one line of JSON each.

    Raises:
        httpx.HTTPError: the connection breaks, or is silent for too long.
        openai.APIError: the provider sends an error, or what is no part.
        ValueError: what it sends is no JSON.
    """
    begun = b""
    async for block in response.aiter_bytes():
        *lines, begun = (begun + block).split(b"\n")
        for line in lines:
            if not line.startswith(b"data:"):
                continue
            data = line[5:].strip()
            if data == b"[DONE]":
                return
            part = json.loads(data)
            if not isinstance(part, dict) or part.get("error"):
                raise openai.APIError(data.decode(), response.request, body=part)
            yield part


def _check_repetition(text: str, repeated: int, response: litellm.CustomStreamWrapper) -> None:
    """Give up a model that says the same for ever, when LiteLLM would."""
    if repeated >= litellm.REPEATED_STREAMING_CHUNK_LIMIT and len(text) > 2:
        raise litellm.InternalServerError(
            "The model repeats itself.", response.custom_llm_provider, response.model
        )


async def _litellm_words(
    response: litellm.CustomStreamWrapper, ending: Ending
) -> AsyncGenerator[str, None]:
    """Read a stream of any other protocol.

    LiteLLM counts itself where the provider does not, and ends every stream in good order; what
    the provider has sent of both is in its `chunks`.
    """
    async for part in response:
        if part.choices and (text := part.choices[0].delta.content):
            yield text
        elif usage := getattr(part, "usage", None):
            ending.tokens = (usage.prompt_tokens or 0, usage.completion_tokens or 0)
            if _has_ended(response):
                # Nothing follows. Asked for more, LiteLLM puts the whole answer together once
                # again, for callbacks that are not there.
                break
    ending.is_whole = _has_ended(response)
    ending.is_estimated = not any(getattr(part, "usage", None) for part in response.chunks)


def _has_ended(response: litellm.CustomStreamWrapper) -> bool:
    """Tell whether the provider has said that the answer is whole, or why it is not."""
    return any(part.choices and part.choices[0].finish_reason for part in response.chunks)
