from pathlib import Path

import pytest
from PIL import Image

from indexing.partition.image_check import Verdict, check_image


@pytest.mark.parametrize("suffix", ["png", "jpg", "tiff", "webp"])
def test_a_picture_opens(suffix: str, tmp_path: Path) -> None:
    Image.new("RGB", (30, 20), "navy").save(tmp_path / f"lamp.{suffix}")

    assert check_image(tmp_path / f"lamp.{suffix}") is Verdict.OPENS


def test_a_picture_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    Image.new("1", (30_000, 30_000)).save(tmp_path / "bomb.png")

    assert check_image(tmp_path / "bomb.png") is Verdict.TOO_LARGE


@pytest.mark.parametrize("suffix", ["png", "tiff", "webp"])
def test_a_picture_that_is_cut_off_is_refused(suffix: str, tmp_path: Path) -> None:
    Image.effect_noise((200, 200), 50).convert("RGB").save(tmp_path / f"lamp.{suffix}")
    whole = (tmp_path / f"lamp.{suffix}").read_bytes()
    (tmp_path / "cut").write_bytes(whole[:40])

    assert check_image(tmp_path / "cut") is Verdict.DAMAGED
