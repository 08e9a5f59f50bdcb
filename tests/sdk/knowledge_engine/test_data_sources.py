"""Uploads, by both clients at a real service."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from knowledge_engine import DuplicateFile, NotFound, ReadingFailed, WaitTimeout
from knowledge_engine.data_sources import MOST_BYTES_IN_A_BATCH, MOST_IN_A_BATCH, batches
from tests.conftest import FILES
from tests.sdk.conftest import LEASE


def test_upload_waits_and_tells_how_far_it_is(client: Any, engine_id: str) -> None:
    seen: list[tuple[str, float]] = []

    data_source = client.data_sources.upload(
        LEASE,
        engine_id,
        notes={"year": 2024},
        on_progress=lambda one: seen.append((one.stage, one.progress)),
    )

    assert (data_source.name, data_source.outcome) == ("warehouse-lease.pdf", "ok")
    assert data_source.notes == {"year": 2024}
    assert seen[-1] == ("done", 1.0)


def test_upload_that_is_not_waited_for_can_be_waited_for_later(client: Any, engine_id: str) -> None:
    uploaded = client.data_sources.upload(LEASE, engine_id, name="Lease", wait=False)

    assert client.data_sources.wait(uploaded.id).is_processed
    assert client.data_sources.get(uploaded.id).name == "Lease"


def test_same_file_is_refused(client: Any, engine_id: str, lease_id: str) -> None:
    with pytest.raises(DuplicateFile):
        client.data_sources.upload(LEASE, engine_id)


def test_document_without_text_is_an_error_that_has_it(
    client: Any, engine_id: str, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.html"
    empty.write_text("<html><body></body></html>")

    with pytest.raises(ReadingFailed) as failed:
        client.data_sources.upload(empty, engine_id)

    assert failed.value.data_source.outcome == "failed"
    assert str(failed.value).startswith("empty.html: ")


def test_waiting_can_end_early(client: Any, engine_id: str) -> None:
    with pytest.raises(WaitTimeout):
        client.data_sources.upload(LEASE, engine_id, timeout_seconds=0)


def test_pages_pictures_link_and_deletion(client: Any, lease_id: str) -> None:
    pages = client.data_sources.pages(lease_id)
    picture = client.data_sources.page_image(lease_id, 2, highlight="Rent and Deposit")
    original = httpx.get(client.data_sources.presigned_url(lease_id)).content

    assert [(page.page_number, page.read_by) for page in pages] == [
        (number, "text") for number in (1, 2, 3)
    ]
    assert picture.startswith(b"\x89PNG")
    assert original == LEASE.read_bytes()
    assert client.data_sources.delete(lease_id).deleted
    with pytest.raises(NotFound):
        client.data_sources.get(lease_id)


def test_many_are_uploaded_and_deleted_in_order(
    client: Any, engine_id: str, tmp_path: Path
) -> None:
    files = [tmp_path / f"{number}.txt" for number in range(3)]
    for file, text in zip(files, ("One text.", "One text.", "Another."), strict=True):
        file.write_text(text)

    items = client.data_sources.upload_many(files, engine_id)
    ids = [item.data_source.id for item in items if item.success]
    deleted = client.data_sources.delete_many([ids[0], "ds_aaaaaaaaaaaaaa", ids[1]])

    assert [item.name for item in items] == ["0.txt", "1.txt", "2.txt"]
    assert [item.error for item in items] == [None, "Duplicate file", None]
    assert [item.success for item in deleted] == [True, False, True]


def test_deletion_of_a_data_source_has_the_receipt_that_was_asked_for(
    client: Any, engine_id: str
) -> None:
    asked, other = (client.data_sources.create_ticket(name, engine_id).id for name in "AB")

    receipt = client.data_sources.delete(asked, receipt=True).receipt

    assert receipt.content["deleted_id"] == asked
    assert client.data_sources.delete(other).receipt is None


def test_each_of_many_deletions_has_the_receipt_that_was_asked_for(
    client: Any, engine_id: str
) -> None:
    ids = [client.data_sources.create_ticket(name, engine_id).id for name in "ABC"]

    with_receipts = client.data_sources.delete_many([*ids[:2], ids[0]], receipt=True)
    without = client.data_sources.delete_many(ids[2:])

    first, second, again = (item.receipt for item in with_receipts)
    assert [one.content["deleted_id"] for one in (first, second)] == ids[:2]
    assert again is None
    assert [item.receipt for item in without] == [None]


@pytest.mark.parametrize(
    ("sizes", "cut"),
    [
        pytest.param([1] * (MOST_IN_A_BATCH + 1), [MOST_IN_A_BATCH, 1], id="too many"),
        pytest.param([MOST_BYTES_IN_A_BATCH, 1, 1], [1, 2], id="too large together"),
        pytest.param([MOST_BYTES_IN_A_BATCH + 1], [1], id="too large alone"),
        pytest.param([], [], id="none"),
    ],
)
def test_many_files_are_cut_into_requests(tmp_path: Path, sizes: list[int], cut: list[int]) -> None:
    files = [tmp_path / str(number) for number in range(len(sizes))]
    for file, size in zip(files, sizes, strict=True):
        with file.open("wb") as content:
            content.truncate(size)

    cuts = list(batches(files))

    assert [len(batch) for batch in cuts] == cut
    assert [file for batch in cuts for file in batch] == files


def test_ticket_needs_no_file(client: Any, engine_id: str) -> None:
    ticket = client.data_sources.create_ticket("Leak", engine_id, content="The roof leaks.")

    assert client.data_sources.wait(ticket.id).outcome == "ok"
    assert client.retrieve(engine_id, "roof").chunks[0].content == "The roof leaks."


def test_file_that_is_not_there_is_an_error_of_python(client: Any, engine_id: str) -> None:
    with pytest.raises(FileNotFoundError):
        client.data_sources.upload(FILES / "none.pdf", engine_id)
