import olefile
import pytest

from indexing.partition.office.ole2_writing import ole2_of


@pytest.mark.parametrize(
    "stream",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"one", id="a few bytes"),
        pytest.param(b"0123456789abcde" * 500_000, id="sectors that fill more than one list"),
    ],
)
def test_the_stream_is_in_the_file_with_zeros_behind(stream: bytes) -> None:
    with olefile.OleFileIO(ole2_of("Book", stream)) as container:
        written = container.openstream("Book").read()

    assert container.listdir() == [["Book"]]
    assert written.startswith(stream)
    assert written.rstrip(b"\0") == stream
