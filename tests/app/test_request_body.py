from typing import Any

import pytest
from quart import Quart

from app.models.page_of_rows import PageRequest
from app.request_body import (
    MAX_DEPTH,
    MAX_PAGE,
    missing_field,
    parse_json,
    parse_object,
    parse_page,
    validate,
)
from app.schemas import KnowledgeEngineRequest, RequestBody
from app.schemas_retrieval import RetrieveRequest
from app.schemas_workflows import WorkflowRequest
from config.errors import (
    MalformedBody,
    ServiceError,
    UnsupportedContentType,
    ValidationFailed,
)

UNSTORABLE = "a text holds a character that cannot be stored (NUL or half a pair)"


class Inner(RequestBody):
    """A part of a request, as tool runs have them."""

    field_name: str
    options: list[str] | None = None


class Outer(RequestBody):
    """A request with parts."""

    knowledge_engine_id: str
    fields: list[Inner]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        pytest.param("", "Expecting value: line 1 column 1 (char 0)", id="empty"),
        pytest.param(
            '{"a": 1,\n "b": }', "Expecting value: line 2 column 7 (char 15)", id="no value"
        ),
        pytest.param(
            '{"a": 1} x', "Extra data: line 1 column 10 (char 9)", id="something behind it"
        ),
        pytest.param(
            "{'a': 1}",
            "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
            id="single quotes",
        ),
        pytest.param(
            '{"a": "\n"}',
            "Invalid control character at: line 1 column 8 (char 7)",
            id="control character",
        ),
        pytest.param("[1]", "expected a JSON object, not an array", id="array"),
        pytest.param('"a"', "expected a JSON object, not a string", id="string"),
        pytest.param("1.5", "expected a JSON object, not a number", id="number"),
        pytest.param("true", "expected a JSON object, not a boolean", id="boolean"),
        pytest.param("null", "expected a JSON object, not null", id="null"),
        pytest.param('{"a": NaN}', "not a JSON text: NaN is not a JSON value", id="NaN"),
        pytest.param(
            '{"a": -Infinity}', "not a JSON text: -Infinity is not a JSON value", id="infinity"
        ),
        pytest.param('{"a": [1e400]}', "a number is too large", id="beyond any number"),
        pytest.param(
            '{"a": ' + "[" * MAX_DEPTH + "1" + "]" * MAX_DEPTH + "}",
            "the JSON is nested deeper than 100 levels",
            id="nested",
        ),
        pytest.param('{"a": "\\u0000"}', UNSTORABLE, id="NUL"),
        pytest.param('{"a": "\\ud800"}', UNSTORABLE, id="half a pair"),
        pytest.param('{"a": [{"\\udfff": 1}]}', UNSTORABLE, id="half a pair in a name"),
    ],
)
def test_malformed_body_is_told_in_the_parsers_words(raw: str, message: str) -> None:
    for body in (raw, raw.encode()):
        with pytest.raises(MalformedBody) as error:
            parse_object(body)

        assert error.value.message == message


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b'{"a": "\xff"}', id="not UTF-8"),
        pytest.param(b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", id="deep"),
        pytest.param(b'{"a": ' + b"9" * 5000 + b"}", id="huge number"),
    ],
)
def test_hostile_body_is_malformed(raw: bytes) -> None:
    with pytest.raises(MalformedBody, match=r"^not a JSON text: ."):
        parse_object(raw)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param('{"a": "\\ud83c\\udfe0"}', id="escaped pair"),
        pytest.param('\ufeff{"a": "🏠"}'.encode(), id="byte order mark"),
        pytest.param('{"a": "🏠"}'.encode("utf-16"), id="UTF-16"),
    ],
)
def test_text_of_any_encoding_of_json_is_read(raw: str | bytes) -> None:
    assert parse_object(raw) == {"a": "🏠"}


@pytest.mark.parametrize(
    ("kind", "body", "lines"),
    [
        pytest.param(
            KnowledgeEngineRequest, {}, ["KnowledgeEngineRequest.Name required"], id="one"
        ),
        pytest.param(
            WorkflowRequest,
            {"name": "n", "query": ""},
            [
                "WorkflowRequest.Query required",
                "WorkflowRequest.KnowledgeEngineID required",
                "WorkflowRequest.Type required",
            ],
            id="several",
        ),
        pytest.param(
            WorkflowRequest,
            {"name": "n", "query": "q", "knowledge_engine_id": "k", "type": "chat", "model": 1},
            ["WorkflowRequest.Model type", "WorkflowRequest.Type oneof"],
            id="several rules",
        ),
        pytest.param(
            Outer,
            {"fields": [{"field_name": "a"}, {"options": [1]}]},
            [
                "Outer.KnowledgeEngineID required",
                "Outer.Fields[1].FieldName required",
                "Outer.Fields[1].Options[0] type",
            ],
            id="nested",
        ),
        pytest.param(
            RetrieveRequest, {"query": "q", "top_k": 0}, ["RetrieveRequest.TopK min"], id="min"
        ),
        pytest.param(
            RetrieveRequest, {"query": "q", "top_k": 5.0}, ["RetrieveRequest.TopK type"], id="float"
        ),
    ],
)
def test_broken_rule_names_field_and_rule(
    kind: type[RequestBody], body: dict[str, Any], lines: list[str]
) -> None:
    with pytest.raises(ValidationFailed) as error:
        validate(kind, body)

    assert error.value.message.splitlines() == [go_line(*line.split()) for line in lines]


def test_null_counts_as_left_out() -> None:
    body = validate(RetrieveRequest, {"query": "q", "top_k": None, "data_source_id": None})

    assert body == RetrieveRequest(query="q")


def test_unknown_field_is_let_through() -> None:
    assert validate(RetrieveRequest, {"query": "q", "rerank": True}) == RetrieveRequest(query="q")


def test_missing_part_is_told_like_a_missing_field() -> None:
    assert missing_field("DataSourceRequest", "File").message == go_line(
        "DataSourceRequest.File", "required"
    )


@pytest.mark.parametrize(
    "content_type", ["application/json", "application/json; charset=utf-8", "application/ld+json"]
)
async def test_body_declared_as_json_is_read(content_type: str) -> None:
    assert await parsed('{"query": "q"}', content_type) == RetrieveRequest(query="q")


@pytest.mark.parametrize(
    "content_type", ["", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"]
)
async def test_body_declared_as_something_else_is_refused(content_type: str) -> None:
    with pytest.raises(UnsupportedContentType) as error:
        await parsed('{"query": "q"}', content_type)

    assert error.value.message == "Content-Type must be application/json"


@pytest.mark.parametrize(
    ("query", "page"),
    [
        pytest.param("", PageRequest(), id="all"),
        pytest.param("limit=7&after=wfl_1", PageRequest(limit=7, after="wfl_1"), id="both"),
        pytest.param("limit=5000", PageRequest(limit=MAX_PAGE), id="over the most"),
        pytest.param("after=", PageRequest(), id="after nothing"),
    ],
)
async def test_page_is_read_from_the_query(query: str, page: PageRequest) -> None:
    assert await page_of(query) == page


@pytest.mark.parametrize(
    ("query", "rule"),
    [
        pytest.param("limit=0", "min", id="zero"),
        pytest.param("limit=-1", "type", id="negative"),
        pytest.param("limit=ten", "type", id="word"),
        pytest.param("limit=", "type", id="empty"),
        pytest.param("limit=%D9%A3", "type", id="digit of another script"),
        pytest.param("limit=9999999", "type", id="too long"),
    ],
)
async def test_limit_must_be_a_count(query: str, rule: str) -> None:
    with pytest.raises(ServiceError) as error:
        await page_of(query)

    assert error.value.message == go_line("ListRequest.Limit", rule)


async def parsed(body: str, content_type: str) -> RetrieveRequest:
    headers = {"Content-Type": content_type} if content_type else {}
    context = Quart(__name__).test_request_context("/", method="POST", data=body, headers=headers)
    async with context:
        return await parse_json(RetrieveRequest)


@pytest.mark.parametrize("after", ["%00", "a b", "%27--", "%C3%A9", "%D9%A3"])
async def test_place_in_a_list_is_an_id(after: str) -> None:
    with pytest.raises(ServiceError) as error:
        await page_of(f"after={after}")

    assert error.value.message == go_line("ListRequest.After", "type")


async def page_of(query: str) -> PageRequest:
    async with Quart(__name__).test_request_context(f"/?{query}"):
        return parse_page()


def go_line(path: str, rule: str) -> str:
    leaf = path.rpartition(".")[2].partition("[")[0]
    return f"Key: '{path}' Error:Field validation for '{leaf}' failed on the '{rule}' tag"
