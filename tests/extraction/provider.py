"""A provider of models at the edge of the process, whose answers are scripted."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import respx

from agents.gateway import LLMGateway
from config.model_table import AutoRule, Deployment, Model, ModelTable
from tests.fakes import HashEmbedder

KEY = "sk-secret-of-the-test"
MODEL = "gamma-1.5-pro"


@dataclass
class Provider:
    """Answers each request with the next of its answers; the last one is repeated."""

    answers: list[httpx.Response] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(json.loads(request.content))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@contextmanager
def provider(*answers: httpx.Response) -> Iterator[Provider]:
    """Stand in for whichever provider is called."""
    scripted = Provider(list(answers))
    with respx.mock:
        respx.post(path__regex="/chat/completions$").mock(side_effect=scripted.answer)
        yield scripted


def gateway_to(model: str = "openai/gpt-4.1", api_base: str = "") -> LLMGateway:
    """Return a gateway that extracts by this model, as LiteLLM names it."""
    extracting = Model(MODEL, "Gamma 1.5 Pro", (Deployment(model, KEY, api_base, 5.0),))
    table = ModelTable({}, {AutoRule.STANDARD: ()}, extraction_models={MODEL: extracting})
    return LLMGateway(table, HashEmbedder().embed)


def says(
    content: str | Mapping[str, object], *, finish_reason: str = "stop", tokens: Sequence[Any] = ()
) -> httpx.Response:
    """Answer with words, or with a filled-in form."""
    message = {"role": "assistant", "content": _text(content)}
    logprobs = {"content": list(tokens)} if tokens else None
    return _response(message, finish_reason, logprobs)


def calls(arguments: str | Mapping[str, object]) -> httpx.Response:
    """Answer by calling the function that was offered."""
    function = {"name": "ExtractedFields", "arguments": _text(arguments)}
    call = {"id": "call_1", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return _response(message, "tool_calls", None)


def fails(status: int, message: str = "", code: str = "error") -> httpx.Response:
    """Answer with an error, which repeats the key as careless providers do."""
    error = {"message": f"{message} Key: {KEY}", "type": code, "code": code}
    return httpx.Response(status, json={"error": error})


def token(text: str, logprob: float) -> dict[str, Any]:
    """Return a token as providers give its log-probability."""
    return {
        "token": text,
        "logprob": logprob,
        "bytes": list(text.encode()),
        "top_logprobs": [],
    }


def _text(content: str | Mapping[str, object]) -> str:
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _response(message: Any, finish_reason: str, logprobs: Any) -> httpx.Response:
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": finish_reason,
        "logprobs": logprobs,
    }
    return httpx.Response(
        200,
        json={
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [choice],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
        },
    )
