import io

import pytest

from indexing.partition.sheets.xlsb_records import CHUNK_BYTES, MAX_RECORD_BYTES, records, text_at
from tests.files.xlsb_writer import record

SHORT = (7, b"short")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        pytest.param([SHORT, (617, b"")], [SHORT, (617, b"")], id="kinds of one byte and two"),
        pytest.param(
            [(6, b"x" * (CHUNK_BYTES - 7)), SHORT] * 2,
            [(6, b"x" * (CHUNK_BYTES - 7)), SHORT] * 2,
            id="over the end of what is read at once",
        ),
        pytest.param(
            [(6, b"x" * (3 * MAX_RECORD_BYTES)), SHORT], [(6, b""), SHORT], id="one too long"
        ),
    ],
)
def test_records_come_with_their_contents(
    written: list[tuple[int, bytes]], read: list[tuple[int, bytes]]
) -> None:
    part = io.BytesIO(b"".join(record(kind, content) for kind, content in written))

    assert list(records(part)) == read


def test_a_record_that_is_cut_is_left_out() -> None:
    whole = record(*SHORT)

    assert list(records(io.BytesIO(whole + whole[:-1]))) == [SHORT]
    assert list(records(io.BytesIO(b"\xff\xff"))) == []


def test_a_text_ends_with_what_there_is() -> None:
    assert text_at(b"\xff\xff\xff\xff" + "word".encode("utf-16-le"), 0) == "word"
