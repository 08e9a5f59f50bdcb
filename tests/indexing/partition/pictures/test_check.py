import io
import struct
from pathlib import Path

import pytest
from PIL import Image

from config.errors import UnreadableFile
from indexing.partition.formats import TOO_MANY_PIXELS, DocumentFormat, check_readable
from indexing.partition.pictures.check import Verdict, check_image


@pytest.mark.parametrize("suffix", ["png", "jpg", "tiff", "webp"])
def test_a_picture_opens(suffix: str, tmp_path: Path) -> None:
    Image.new("RGB", (30, 20), "navy").save(tmp_path / f"lamp.{suffix}")

    assert check_image(tmp_path / f"lamp.{suffix}") is Verdict.OPENS


def test_a_picture_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    Image.new("1", (30_000, 30_000)).save(tmp_path / "bomb.png")

    assert check_image(tmp_path / "bomb.png") is Verdict.TOO_LARGE


def test_a_webp_just_below_the_limit_opens(tmp_path: Path) -> None:
    (tmp_path / "lamp.webp").write_bytes(white_webp(14_000))

    assert check_readable(tmp_path / "lamp.webp") is DocumentFormat.WEBP


def test_a_webp_above_the_limit_is_too_large(tmp_path: Path) -> None:
    (tmp_path / "lamp.webp").write_bytes(white_webp(14_200))

    with pytest.raises(UnreadableFile, match=TOO_MANY_PIXELS):
        check_readable(tmp_path / "lamp.webp")


def white_webp(side: int) -> bytes:
    """Return a picture without losses: where it is of one colour, its content is short."""
    file = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(file, "WEBP", lossless=True, method=0, quality=0)
    content = bytearray(file.getvalue())
    # Behind the head: the width and the height, of 14 bits each.
    struct.pack_into("<I", content, 21, (side - 1) | (side - 1) << 14)
    return bytes(content)


@pytest.mark.parametrize("suffix", ["png", "tiff", "webp"])
def test_a_picture_that_is_cut_off_is_refused(suffix: str, tmp_path: Path) -> None:
    Image.effect_noise((200, 200), 50).convert("RGB").save(tmp_path / f"lamp.{suffix}")
    whole = (tmp_path / f"lamp.{suffix}").read_bytes()
    (tmp_path / "cut").write_bytes(whole[:40])

    assert check_image(tmp_path / "cut") is Verdict.DAMAGED
