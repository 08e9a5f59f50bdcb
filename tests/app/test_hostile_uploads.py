"""Files that want to do harm, on the road that every upload takes."""

from pathlib import Path
from typing import Any

import pytest

from app.services import Services
from tests.client import Client
from tests.files.make_hostile import Hostile, hostile_files

FILES = Path(__file__).parents[1] / "files"
HOSTILE = {hostile.name: hostile for hostile in hostile_files()}


@pytest.mark.parametrize("name", ["overlapping.docx", "bomb.png", "half of warehouse-lease.pdf"])
async def test_what_can_be_seen_at_once_is_refused(client: Client, name: str) -> None:
    hostile = HOSTILE[name]
    engine_id = await client.create_engine()

    response = await client.upload(engine_id, hostile.make())

    body: Any = await response.get_json()
    assert response.status_code == 400
    assert hostile.says in body["error"]
    assert await client.get(f"/knowledge-engines/{engine_id}/data-sources") == []


async def test_the_others_are_read_whatever_becomes_of_the_hostile(
    client: Client, services: Services, tmp_path: Path
) -> None:
    services.settings.read_memory_mb = 500
    engine_id = await client.create_engine()
    hostile = [
        HOSTILE[name]
        for name in ("chained filters.pdf", "laughs.docx", "corners.xlsx", "tables.html")
    ]
    for one in hostile:
        (tmp_path / one.name).write_bytes(one.make())
        assert (await client.upload(engine_id, tmp_path / one.name)).status_code == 201

    lease = await client.add(engine_id, FILES / "warehouse-lease.pdf")

    assert lease["outcome"] == "ok"
    for one in hostile:
        await assert_ended(client, engine_id, one)


async def test_names_within_a_mail_lead_nowhere(
    client: Client, services: Services, tmp_path: Path
) -> None:
    mail = HOSTILE["escaping.eml"]
    (tmp_path / mail.name).write_bytes(mail.make())
    engine_id = await client.create_engine()

    data_source = await client.add(engine_id, tmp_path / mail.name)

    assert data_source["outcome"] == "ok"
    stored = [path for path in services.settings.data_dir.rglob("*") if path.is_file()]
    assert {path.name for path in stored} == {mail.name, data_source["id"]}


async def assert_ended(client: Client, engine_id: str, hostile: Hostile) -> None:
    """Check that the data source ended as the file has to, with a reason that says so."""
    listed = await client.get(f"/knowledge-engines/{engine_id}/data-sources")
    (found,) = [one for one in listed if one["name"] == hostile.name]
    data_source = await client.get(f"/data-sources/{found['id']}")
    expected = "ok" if hostile.ends == "read" else hostile.ends
    assert data_source["outcome"] == expected
    assert expected == "ok" or hostile.says in data_source["error"]
