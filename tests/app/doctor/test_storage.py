from pathlib import Path

import pytest

from app.doctor.findings import Level
from app.doctor.storage import check_disk, check_store
from config.settings import Settings
from tests.s3_server import s3_server


def test_folder_that_keeps_files_is_well_and_left_as_it_was(tmp_path: Path) -> None:
    (found,) = check_store(Settings(data_dir=tmp_path))

    assert found.level is Level.OK
    assert not [one for one in tmp_path.rglob("*") if one.is_file()]


def test_bucket_is_written_read_and_deleted_from(tmp_path: Path) -> None:
    with s3_server() as server:
        (found,) = check_store(Settings(data_dir=tmp_path, blob_url=server.url))

        assert found.level is Level.OK
        assert server.keys() == []


@pytest.mark.parametrize("url", ["nonsense", "file://folder"])
def test_address_that_is_none_is_a_problem(tmp_path: Path, url: str) -> None:
    (found,) = check_store(Settings(data_dir=tmp_path, blob_url=url))

    assert found.level is Level.PROBLEM
    assert found.text.startswith("KE_BLOB_URL: ")


def test_folder_that_cannot_be_made_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")

    (found,) = check_store(Settings(data_dir=tmp_path / "data"))

    assert (found.level, bool(found.advice)) == (Level.PROBLEM, True)


def test_disk_is_looked_at_where_the_data_directory_will_be(tmp_path: Path) -> None:
    (found,) = check_disk(Settings(data_dir=tmp_path / "not" / "there"))

    assert "GB free" in found.text
