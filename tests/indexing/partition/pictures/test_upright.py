import io
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from indexing.partition.pictures.upright import (
    MAX_DAMAGED,
    MAX_PIXELS,
    count_pages,
    open_picture,
    upright,
)
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


def test_what_is_behind_many_damaged_frames_is_not_counted(tmp_path: Path) -> None:
    content = film("TIFF")
    start = len(content)
    chain = b"".join(struct.pack("<HL", 0, start + 6 * (n + 1)) for n in range(2 * MAX_DAMAGED))
    (first,) = struct.unpack_from("<L", content, 4)
    (entries,) = struct.unpack_from("<H", content, first)
    at = first + 2 + 12 * entries
    (tmp_path / "film").write_bytes(
        content[:at] + struct.pack("<L", start) + content[at + 4 :] + chain
    )

    with open_picture(tmp_path / "film") as picture:
        assert count_pages(picture) == 1 + MAX_DAMAGED


def test_picture_is_turned_as_the_camera_says() -> None:
    image = Image.new("RGB", (40, 30), RED)
    image.getexif()[0x0112] = 6

    assert upright(image).size == (30, 40)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_transparent_picture_is_turned_as_its_file_says(kind: str, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGBA", (40, 30), (0, 0, 0, 0)).save(tmp_path / "sign", kind, exif=exif)

    with open_picture(tmp_path / "sign") as picture:
        assert upright(picture).size == (30, 40)


def test_what_is_transparent_is_paper() -> None:
    seen = upright(Image.new("RGBA", (20, 20), (0, 0, 0, 0)))

    assert seen.getpixel((10, 10)) == (255, 255, 255)


def test_white_letters_on_nothing_stand_on_a_dark_ground() -> None:
    image = Image.new("RGBA", (20, 20), (255, 255, 255, 0))
    image.paste((255, 255, 255, 255), (5, 5, 10, 10))

    seen = upright(image)

    assert seen.getpixel((7, 7)) == (255, 255, 255)
    assert seen.getpixel((15, 15)) == (0, 0, 0)


def test_dark_letters_on_a_light_chart_stand_on_white() -> None:
    image = Image.new("RGBA", (20, 20), (0, 0, 0, 0))
    image.paste((250, 240, 160, 255), (0, 0, 20, 10))
    image.paste((0, 0, 0, 255), (5, 12, 8, 14))

    assert upright(image).getpixel((15, 15)) == (255, 255, 255)


def test_long_picture_lies_on_paper_from_its_top_to_its_end() -> None:
    image = Image.new("RGBA", (4, 1203), (0, 0, 0, 0))
    image.paste((200, 30, 30, 128), (1, 0, 2, 1203))

    shown = np.asarray(upright(image))

    whole = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    assert (shown == np.asarray(whole.convert("RGB"))).all()


def test_giant_picture_is_made_smaller() -> None:
    seen = upright(Image.new("1", (8000, 4500), 1))

    assert seen.width * seen.height <= MAX_PIXELS + 8000


def test_strokes_of_a_giant_picture_in_black_and_white_are_averaged() -> None:
    image = Image.new("1", (6000, 6000), 1)
    for row in range(0, 6000, 4):
        image.paste(0, (0, row, 6000, row + 1))

    shade = upright(image).convert("L").resize((1, 1), Image.Resampling.BOX).getpixel((0, 0))

    assert shade == pytest.approx(255 * 3 / 4, abs=5)


@pytest.mark.parametrize(
    ("dpi", "orientation", "size"),
    [
        ((204, 98), 1, (200, 208)),
        ((98, 204), 1, (416, 100)),
        ((204, 98), 6, (208, 200)),
        ((204, 196), 1, (200, 100)),
        ((300, 1), 1, (200, 100)),
        ((0, 0), 1, (200, 100)),
    ],
)
def test_fax_is_as_high_as_its_rows_stand_apart(
    dpi: tuple[int, int], orientation: int, size: tuple[int, int], tmp_path: Path
) -> None:
    tags = {274: orientation}
    Image.new("1", (200, 100), 1).save(tmp_path / "fax.tif", dpi=dpi, tiffinfo=tags)

    with open_picture(tmp_path / "fax.tif") as picture:
        assert upright(picture).size == size
