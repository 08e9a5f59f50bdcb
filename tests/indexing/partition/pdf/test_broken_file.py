import time
from pathlib import Path

import pytest

from indexing.partition.pdf.broken_file import is_broken
from tests.files.hostile_pdfs import pdf, stream

WHOLE = pdf({5: stream(b"lamps " * 3000)})
MIDDLE = len(WHOLE) // 2


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(WHOLE, id="as it was written"),
        pytest.param(b"From: a mail\n\n" + WHOLE, id="with something before it"),
        pytest.param(WHOLE + b"\r\n" * 50, id="with something behind it"),
        pytest.param(WHOLE[:MIDDLE] + bytes(3000) + WHOLE[MIDDLE + 3000 :], id="with some zeros"),
    ],
)
def test_a_file_that_is_whole_is_not_broken(content: bytes) -> None:
    assert not is_broken(content)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(WHOLE[:MIDDLE] + WHOLE[MIDDLE + 9 :], id="bytes are lost"),
        pytest.param(WHOLE[:MIDDLE] + b"lamps" + WHOLE[MIDDLE:], id="bytes came between"),
        pytest.param(WHOLE[:MIDDLE] + bytes(5000) + WHOLE[MIDDLE + 5000 :], id="a hole"),
        pytest.param(WHOLE[: len(WHOLE) - 40], id="its end is cut off"),
    ],
)
def test_a_file_that_something_happened_to_is_broken(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(content)

    assert is_broken(content)
    assert is_broken(tmp_path / "broken.pdf")


def test_a_hole_is_found_wherever_it_lies() -> None:
    assert is_broken(pdf({5: stream(b"a" * ((1 << 20) - 4200) + bytes(4096) + b"a")}))


def test_many_small_holes_take_no_time() -> None:
    content = pdf({5: stream((bytes(4095) + b"a") * 5000)})
    began = time.process_time()

    assert not is_broken(content)

    assert time.process_time() - began < 5
