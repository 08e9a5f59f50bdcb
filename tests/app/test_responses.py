from typing import Any

import pytest
from pydantic import BaseModel
from quart import Quart

from app.models.page_of_rows import PageRequest
from app.responses import answered, created, listed


class Item(BaseModel):
    """Something that is answered."""

    id: str
    note: str | None = None


async def test_object_is_answered_as_json() -> None:
    response = answered(Item(id="Größe"))

    assert (response.status_code, response.content_type) == (200, "application/json")
    assert await response.get_json() == {"id": "Größe", "note": None}


async def test_what_is_not_there_can_be_left_out() -> None:
    assert await answered(Item(id="1"), exclude_none=True).get_json() == {"id": "1"}


def test_new_object_says_where_it_is() -> None:
    response = created(Item(id="1"), "/api/v1/items/1")

    assert (response.status_code, response.headers["Location"]) == (201, "/api/v1/items/1")


@pytest.mark.parametrize(
    ("query", "page", "link"),
    [
        pytest.param("", PageRequest(), None, id="whole list"),
        pytest.param("?limit=3", PageRequest(limit=3), None, id="less than a page"),
        pytest.param("?limit=2", PageRequest(limit=2), "limit=2&after=b", id="full page"),
        pytest.param(
            "?limit=2&after=x&context_id=c+d",
            PageRequest(limit=2, after="x"),
            "limit=2&after=b&context_id=c+d",
            id="filter is kept",
        ),
        pytest.param("?limit=9000", PageRequest(limit=2), "limit=2&after=b", id="clamped limit"),
    ],
)
async def test_full_page_links_to_the_next(query: str, page: PageRequest, link: Any) -> None:
    async with Quart(__name__).test_request_context(f"/items{query}"):
        response = listed([Item(id="a"), Item(id="b")], ["a", "b"], page)

    assert [item["id"] for item in await response.get_json()] == ["a", "b"]
    assert response.headers.get("Link") == (link and f'</items?{link}>; rel="next"')
