import io
from pathlib import Path

import pytest
from PIL import Image

from indexing.partition.upright import MAX_PIXELS, count_pages, open_picture, upright
from tests.files.colours import RED


def film(kind: str) -> bytes:
    """Return a file with two frames."""
    file = io.BytesIO()
    frames = [Image.new("RGB", (20, 10), "white"), Image.new("RGB", (20, 10), "black")]
    frames[0].save(file, kind, save_all=True, append_images=frames[1:])
    return file.getvalue()


@pytest.mark.parametrize(("kind", "pages"), [("TIFF", 2), ("WEBP", 1), ("PNG", 1)])
def test_only_the_frames_of_a_tiff_are_pages(kind: str, pages: int, tmp_path: Path) -> None:
    (tmp_path / "film").write_bytes(film(kind))

    with open_picture(tmp_path / "film") as picture:
        assert count_pages(picture) == pages


def test_picture_is_turned_as_the_camera_says() -> None:
    image = Image.new("RGB", (40, 30), RED)
    image.getexif()[0x0112] = 6

    assert upright(image).size == (30, 40)


def test_what_is_transparent_is_paper() -> None:
    seen = upright(Image.new("RGBA", (20, 20), (0, 0, 0, 0)))

    assert seen.getpixel((10, 10)) == (255, 255, 255)


def test_giant_picture_is_made_smaller() -> None:
    seen = upright(Image.new("1", (8000, 4500), 1))

    assert seen.width * seen.height <= MAX_PIXELS + 8000
