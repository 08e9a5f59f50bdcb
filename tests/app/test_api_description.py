from typing import Any

import pytest

from tests.client import Client


@pytest.fixture(scope="module")
async def paths(onlooker: Client) -> dict[str, Any]:
    """What /openapi.json says of each path."""
    described = await (await onlooker.call("GET", "/openapi.json")).get_json()
    return dict(described["paths"])


async def test_every_endpoint_with_a_key_tells_the_errors_it_may_answer(
    paths: dict[str, Any],
) -> None:
    described = [
        operation["responses"]
        for path, operations in paths.items()
        for operation in operations.values()
        if path.startswith("/api/")
    ]

    assert all({"400", "401", "503"} <= responses.keys() for responses in described)
    assert all(
        list(responses["401"]["content"]["application/json"]["schema"]["properties"]) == ["error"]
        for responses in described
    )


async def test_open_endpoints_ask_for_no_key(paths: dict[str, Any]) -> None:
    for path in ("/healthz", "/readyz", "/metrics", "/files/{token}"):
        assert paths[path]["get"]["security"] == []
        assert "401" not in paths[path]["get"]["responses"]


async def test_every_post_takes_an_idempotency_key_and_nothing_else_does(
    paths: dict[str, Any],
) -> None:
    taking = {
        (path, method)
        for path, operations in paths.items()
        for method, operation in operations.items()
        if "Idempotency-Key" in [one["name"] for one in operation.get("parameters", ())]
    }

    assert taking == {(path, "post") for path, operations in paths.items() if "post" in operations}


async def test_form_of_an_id_is_told_with_its_synonym(paths: dict[str, Any]) -> None:
    (parameter,) = paths["/api/v1/data-sources/{data_source_id}"]["get"]["parameters"]

    assert parameter["schema"] == {"type": "string", "pattern": "^(ds|dsc)_[A-Za-z0-9]{10,20}$"}


async def test_field_that_may_be_left_out_may_be_null(paths: dict[str, Any]) -> None:
    body = paths["/api/v1/knowledge-engines"]["post"]["requestBody"]
    fields = body["content"]["application/json"]["schema"]["properties"]

    kinds = {
        name: [one["type"] for one in each.get("anyOf", [each])] for name, each in fields.items()
    }
    assert kinds == {
        "name": ["string"],
        "description": ["string", "null"],
        "notes": ["object", "null"],
    }


async def test_parameter_that_may_be_left_out_is_not_null(paths: dict[str, Any]) -> None:
    parameters = paths["/api/v1/workflows"]["get"]["parameters"]

    assert {one["name"]: one["schema"]["type"] for one in parameters} == {
        "limit": "integer",
        "after": "string",
        "knowledge_engine_id": "string",
        "context_id": "string",
    }


@pytest.mark.parametrize(
    ("method", "path", "media_type"),
    [
        ("post", "/api/v1/knowledge-engines/{engine_id}/query", "text/event-stream"),
        ("post", "/api/v1/tool-runs", "text/event-stream"),
        ("get", "/api/v1/data-sources/{data_source_id}/pages/{number}.png", "image/png"),
        ("get", "/metrics", "text/plain"),
    ],
)
async def test_what_is_no_json_is_told(
    paths: dict[str, Any], method: str, path: str, media_type: str
) -> None:
    assert media_type in paths[path][method]["responses"]["200"]["content"]


async def test_body_is_required_where_there_is_one(paths: dict[str, Any]) -> None:
    create = paths["/api/v1/knowledge-engines"]["post"]

    assert create["requestBody"]["required"]
    assert {"413", "415"} <= create["responses"].keys()
