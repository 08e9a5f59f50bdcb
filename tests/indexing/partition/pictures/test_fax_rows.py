from pathlib import Path

import pytest
from PIL import Image

from indexing.partition.pictures.fax_rows import undecoded_rows
from indexing.partition.pictures.upright import open_picture
from tests.files.drawn import draw_lines

HEIGHT = 300
LINES = [["Please send twelve deck lamps."], ["They are needed on Monday."]]


def fax(folder: Path, compression: str, lines: list[list[str]] = LINES, **tags: int) -> Path:
    path = folder / "fax.tiff"
    numbers = {"photometric": 262, "fill_order": 266, "rows": 278, "orientation": 274}
    tiffinfo = {numbers[name]: value for name, value in tags.items()}
    picture = draw_lines(lines, (640, HEIGHT), 28).convert("1")
    picture.save(path, compression=compression, tiffinfo=tiffinfo)
    return path


def undecoded(path: Path) -> int:
    with open_picture(path) as picture:
        picture.load()
        return undecoded_rows(picture)


def spoil(path: Path, intact: float, what: bytes) -> None:
    """Put something else in place of all that is behind a part of the first strip."""
    with Image.open(path) as image:
        tags = image.tag_v2  # type: ignore[attr-defined]
        (start, *_), (size, *_) = tags[273], tags[279]
    cut = start + int(size * intact)
    content = path.read_bytes()
    filled = (what * size)[: start + size - cut]
    path.write_bytes(content[:cut] + filled + content[start + size :])


@pytest.mark.parametrize("compression", ["group3", "group4", "tiff_lzw"])
@pytest.mark.parametrize("lines", [LINES, LINES[:1], [[]]])
@pytest.mark.parametrize(
    "tags", [{}, {"rows": 100}, {"photometric": 1}, {"fill_order": 2}, {"orientation": 3}]
)
def test_all_rows_of_an_intact_fax_are_decoded(
    compression: str, lines: list[list[str]], tags: dict[str, int], tmp_path: Path
) -> None:
    assert undecoded(fax(tmp_path, compression, lines, **tags)) == 0


@pytest.mark.parametrize(
    ("compression", "intact", "what"),
    [
        pytest.param("group4", 0.5, b"\x15\xaa\x00\x01\x7c", id="noise"),
        pytest.param("group4", 0.5, b"\0", id="zeros in group 4"),
        pytest.param("group3", 0.5, b"\0", id="zeros in group 3"),
    ],
)
def test_rows_behind_a_damage_are_counted(
    compression: str, intact: float, what: bytes, tmp_path: Path
) -> None:
    path = fax(tmp_path, compression)

    spoil(path, intact, what)

    assert HEIGHT / 3 < undecoded(path) < HEIGHT
