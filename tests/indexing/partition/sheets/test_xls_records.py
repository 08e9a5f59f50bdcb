from pathlib import Path

import pytest

from indexing.partition.sheets.xls_records import is_old, records_of, workbook_stream
from tests.files.xls_writer import record, write_xls


def test_a_record_that_is_cut_off_comes_as_far_as_it_goes() -> None:
    stream = record(1, b"one") + record(2, b"two")[:-1] + b""

    assert list(records_of(stream)) == [(0, 1, b"one"), (7, 2, b"tw")]


@pytest.mark.parametrize("age", [True, False])
def test_the_first_record_tells_the_age(age: bool, tmp_path: Path) -> None:
    stream = workbook_stream(write_xls(tmp_path, {}, [], is_old=age))

    assert is_old(stream) == age


def test_nothing_has_no_age() -> None:
    assert not is_old(b"")
