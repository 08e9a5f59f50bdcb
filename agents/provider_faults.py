"""What goes wrong at a provider, in words that can be shown.

This imports OpenAI's client, so only what speaks to providers imports it, and late.
"""

from collections.abc import Iterator
from json import JSONDecodeError

import httpx
import litellm
import openai
from litellm.types.router import RouterRateLimitError

# LiteLLM's own errors derive from OpenAI's. The Router's says that all deployments rest by now.
FAILURES = (openai.OpenAIError, RouterRateLimitError)

# The first kind that an error, or what it came from, is of: LiteLLM often has a vaguer name for it.
_REASONS: tuple[tuple[tuple[type[Exception], ...], str], ...] = (
    ((openai.AuthenticationError,), "the model provider refused the service's credentials"),
    ((openai.PermissionDeniedError,), "the model provider refused access to the model"),
    ((openai.RateLimitError,), "the model provider is limiting the rate of requests"),
    (
        (openai.APITimeoutError, httpx.TimeoutException),
        "the model provider did not answer in time",
    ),
    ((openai.NotFoundError,), "the model provider does not know the model"),
    (
        (litellm.ContextWindowExceededError,),
        "the question and its passages are too long for the model",
    ),
    ((openai.BadRequestError,), "the model provider rejected the request"),
    ((JSONDecodeError,), "the model provider sent what cannot be read"),
    ((httpx.TransportError,), "the model provider cannot be reached"),
)


class ProviderFailed(Exception):
    """No deployment of a model answers, or one has broken off; the message can be shown."""


class UnusableAnswer(openai.OpenAIError):
    """What LiteLLM takes for an answer and is none; the message can be shown."""


def plain_words(error: BaseException) -> str:
    """Say what went wrong without repeating what the provider said: it may quote the key."""
    if isinstance(error, UnusableAnswer):
        return str(error)
    causes = list(_causes(error))
    for kinds, words in _REASONS:
        if any(isinstance(cause, kinds) for cause in causes):
            return words
    return "the model provider failed"


def may_be_the_questions_fault(error: Exception) -> bool:
    """Tell whether another question might fare better with the same deployment."""
    return isinstance(error, openai.BadRequestError | UnusableAnswer | RouterRateLimitError)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what it came from."""
    seen: set[int] = set()
    # An error that is raised again while it is handled can come round to itself.
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
