"""Which answer becomes which error."""

import inspect
import re

import httpx
import pytest

from knowledge_engine import errors
from knowledge_engine.errors import KnowledgeEngineError, error_of


@pytest.mark.parametrize(
    ("status", "text", "name"),
    [
        (400, "Invalid knowledge engine ID", "InvalidRequest"),
        (400, "Duplicate file", "DuplicateFile"),
        (400, "knowledge engine is not ready, current status: processing", "EngineNotReady"),
        (401, "Unauthorized", "Unauthorized"),
        (404, "workflow not found", "NotFound"),
        (413, "the upload exceeds the limit of 512 MB", "UploadTooLarge"),
        (415, "Content-Type must be application/json", "ServiceError"),
        (500, "Failed to process query: the model failed", "ServerError"),
        (502, "Bad Gateway", "ServerError"),
        (503, "too many searches at once", "ServiceUnavailable"),
    ],
)
def test_status_and_text_decide(status: int, text: str, name: str) -> None:
    error = error_of(httpx.Response(status, json={"error": text}))

    assert type(error).__name__ == name
    assert (error.status_code, error.message) == (status, text)
    assert str(error) == f"{status}: {text}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"<html>no</html>", "<html>no</html>", id="a page of a proxy"),
        pytest.param(b"", "Bad Gateway", id="nothing"),
        pytest.param(b"[1]", "[1]", id="other JSON"),
        pytest.param(b"x" * 9000, "x" * 500, id="much"),
    ],
)
def test_body_that_is_not_of_the_service_is_shown(content: bytes, message: str) -> None:
    assert error_of(httpx.Response(502, content=content)).message == message


def test_tree_in_the_docstring_is_that_of_the_classes() -> None:
    drawn: list[str] = []
    for indent, name in re.findall(r"^( *)[*+.-] (\w+)", errors.__doc__ or "", re.MULTILINE):
        drawn[len(indent) // 2 :] = [name]
        kind = getattr(errors, name)
        parent = KnowledgeEngineError if len(drawn) == 1 else getattr(errors, drawn[-2])
        assert issubclass(kind, parent)

    classes = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    own = {kind.__name__ for kind in classes if issubclass(kind, KnowledgeEngineError)}
    assert own == set(re.findall(r"^ *[*+.-] (\w+)", errors.__doc__ or "", re.MULTILINE))
