from app.engine_owners import REMEMBERED_ENGINES, EngineOwners
from tests.client import Client


def test_engine_is_known_in_its_own_account_only() -> None:
    owners = EngineOwners()
    owners.remember(1, "kng_a")

    assert owners.know(1, "kng_a")
    assert not owners.know(2, "kng_a")
    assert not owners.know(1, "kng_b")


def test_the_latest_engines_are_remembered() -> None:
    owners = EngineOwners()
    for number in range(REMEMBERED_ENGINES + 1):
        owners.remember(1, f"kng_{number}")

    assert not owners.know(1, "kng_0")
    assert owners.know(1, f"kng_{REMEMBERED_ENGINES}")


async def test_engine_that_was_searched_and_deleted_is_not_found(
    client: Client, engine: str
) -> None:
    path = f"/knowledge-engines/{engine}"
    assert (await client.post(f"{path}/retrieve", query="rent"))["chunks"]

    await client.call("DELETE", f"/api/v1{path}")

    error = await client.error("POST", f"{path}/retrieve", json={"query": "rent"})
    assert error == (404, "knowledge engine not found")


async def test_engine_that_its_owner_has_searched_is_not_found_by_others(
    client: Client, stranger: Client, engine: str
) -> None:
    path = f"/knowledge-engines/{engine}/retrieve"
    assert (await client.post(path, query="rent"))["chunks"]

    error = await stranger.error("POST", path, json={"query": "rent"})
    assert error == (404, "knowledge engine not found")
