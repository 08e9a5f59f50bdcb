import re

import pytest

from config import errors
from config.errors import ServiceError

TREE = errors.__doc__ or ""

EXAMPLES: dict[ServiceError, tuple[int, str]] = {
    errors.Unauthorized(): (401, "Unauthorized"),
    errors.NotFound("workflow"): (404, "workflow not found"),
    errors.InvalidId("knowledge engine"): (400, "Invalid knowledge engine ID"),
    errors.ReferenceNotFound("context"): (400, "context not found"),
    errors.NameTooLong("workflow"): (
        400,
        "Invalid workflow name: exceeds maximum length of 50 characters",
    ),
    errors.EngineNotReady("processing"): (
        400,
        "knowledge engine is not ready, current status: processing",
    ),
    errors.EngineHasNoDataSources(): (400, "knowledge engine has no active data sources"),
    errors.ModelNotSupported("gpt-9"): (400, "Model gpt-9 not supported"),
    errors.ModelNotEnabled("Delta 4.1"): (400, "Model Delta 4.1 is not enabled"),
    errors.DuplicateFile(): (400, "Duplicate file"),
    errors.UnreadableFile("the file is empty"): (400, "the file is empty"),
    errors.ValidationFailed("Key: …"): (400, "Key: …"),
    errors.MalformedBody("Expecting value"): (400, "Expecting value"),
    errors.PageNotDrawn(3, "r"): (400, "page 3 cannot be drawn: r"),
    errors.UrlNotUsable("r"): (400, "url cannot be used: r"),
    errors.InvalidIdempotencyKey(): (
        400,
        "Idempotency-Key must be 1 to 255 printable characters",
    ),
    errors.IdempotencyKeyReused(): (400, "the Idempotency-Key was used for another request"),
    errors.KeyOfNarrowScope("read", "write"): (
        400,
        "this key has the scope read, this takes one with write",
    ),
    errors.KeyOfOneEngine(): (400, "this key is for one knowledge engine, this takes one for all"),
    errors.UploadTooLarge(512 * 2**20): (413, "the upload exceeds the limit of 512 MB"),
    errors.UnsupportedContentType("application/json"): (
        415,
        "Content-Type must be application/json",
    ),
    errors.RangeNotSatisfiable(9): (416, "the file has only 9 bytes"),
    errors.Unavailable("the database does not answer"): (503, "the database does not answer"),
    errors.FileStoreAway(): (503, "the file store does not answer"),
    errors.AnswerFailed("d"): (500, "Failed to process query: d"),
    errors.RetrievalFailed("d"): (500, "Failed to retrieve documents: d"),
    errors.WorkflowNotCreated("d"): (500, "Failed to create workflow: d"),
    errors.DataSourceNotUsable("ds_1", "r"): (400, "data source ds_1 cannot be used: r"),
    errors.ExtractionFailed("d"): (500, "Failed to extract fields: d"),
    errors.RequestRefused("d"): (500, "Failed to extract fields: d"),
    errors.PromptTooLong("d"): (500, "Failed to extract fields: d"),
}


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_client_is_told_exactly_this(error: ServiceError) -> None:
    assert (error.status_code, error.message) == EXAMPLES[error]
    assert str(error) == error.message


def test_every_error_is_drawn_in_the_tree() -> None:
    drawn = set(re.findall(r"[*+-] (\w+)", TREE))

    assert drawn == {kind.__name__ for kind in all_kinds(ServiceError)}


def test_tree_names_the_parents() -> None:
    branch = TREE.partition("+ InvalidRequest")[2].partition("\n  +")[0]
    of_request = re.findall(r"^    - (\w+)", branch, re.MULTILINE)

    assert {kind.__name__ for kind in errors.InvalidRequest.__subclasses__()} == set(of_request)


def test_every_error_has_an_example_here() -> None:
    with_a_text_of_their_own = {type(error) for error in EXAMPLES}

    assert all_kinds(ServiceError) - with_a_text_of_their_own == {
        ServiceError,
        errors.InvalidRequest,
    }


def all_kinds(kind: type[ServiceError]) -> set[type[ServiceError]]:
    return {kind}.union(*(all_kinds(child) for child in kind.__subclasses__()))
