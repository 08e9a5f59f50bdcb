import io

import pytest
from PIL import Image

from indexing.partition.pictures.jpeg_codes import lacks_codes
from tests.files.drawn import draw_lines


def photograph(**options: bool) -> bytes:
    file = io.BytesIO()
    draw_lines([[f"Lamp number {n}."] for n in range(9)], (640, 480), 28).save(
        file, "JPEG", **options
    )
    return file.getvalue()


def holed(content: bytes) -> bytes:
    half = len(content) // 2
    return content[:half] + bytes(2000) + content[half + 2000 :]


def shortened(content: bytes) -> bytes:
    half = len(content) // 2
    return content[:half] + content[half + 2000 :]


WAYS = [
    pytest.param({}, id="row by row"),
    pytest.param({"progressive": True}, id="finer and finer"),
]


@pytest.mark.parametrize("options", WAYS)
@pytest.mark.parametrize("spoil", [holed, shortened])
def test_codes_that_are_lost_are_told(spoil, options) -> None:
    assert lacks_codes(spoil(photograph(**options)))


@pytest.mark.parametrize("options", [*WAYS, pytest.param({"optimize": True}, id="packed better")])
def test_a_whole_photograph_lacks_nothing(options) -> None:
    assert not lacks_codes(photograph(**options))


def test_bytes_behind_the_last_code_are_no_loss() -> None:
    content = photograph()

    assert not lacks_codes(content[:-2] + b"\x11\x22" + content[-2:])


def test_a_white_page_whose_codes_are_zeros_is_whole() -> None:
    file = io.BytesIO()
    Image.new("L", (2000, 2000), 255).save(file, "JPEG", optimize=True)

    assert not lacks_codes(file.getvalue())


@pytest.mark.parametrize("content", [b"no picture", b""])
def test_what_is_no_photograph_lacks_nothing(content: bytes) -> None:
    assert not lacks_codes(content)
