import io
import struct
from pathlib import Path

import pytest
from PIL import Image

from indexing.ocr import UNKNOWN_LETTERS
from indexing.partition.formats import DocumentFormat
from indexing.partition.pictures.image import open_image, picture_of
from indexing.partition.processes.isolation import ReadLimits, read_isolated
from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import ReadBy
from tests.files.drawn import RECEIPT, draw_chart, draw_lines, draw_unknown_letters

PNG = DocumentFormat.PNG
FILES = Path(__file__).parents[3] / "files"
DAMAGED = "it is damaged; upload an intact copy"


def four_frames() -> tuple[bytes, list[int]]:
    """Return a TIFF, and where the directories of its frames are."""
    frames = [draw_lines([[f"Lamp number {n}."]], (320, 150), 28) for n in (1, 2, 3, 4)]
    file = io.BytesIO()
    frames[0].save(file, "TIFF", save_all=True, append_images=frames[1:])
    content, places, at = file.getvalue(), list[int](), 4
    for _ in frames:
        places += struct.unpack_from("<L", content, at)
        (entries,) = struct.unpack_from("<H", content, places[-1])
        at = places[-1] + 2 + 12 * entries
    return content, places


def test_a_receipt_keeps_each_price_beside_its_article() -> None:
    (page,) = open_image(FILES / "receipt.png").pages

    lines = [line for block in page.blocks for line in block.text.split("\n")]

    assert page.read_by is ReadBy.OCR
    assert lines[2:5] == ["Storm lantern 24.50", "Deck lamp 61.00", "TOTAL 85.50"]


def test_each_frame_of_a_tiff_is_a_page_turned_upright() -> None:
    document = open_image(FILES / "fax.tiff")

    first, second = document.pages

    assert document.page_count == 2
    assert (first.number, first.blocks[0].text) == (1, "Please send twelve deck lamps.")
    assert (second.number, second.blocks[0].text) == (2, "They are needed on Monday.")


def test_lines_stand_where_they_are_in_the_file_whichever_way_up_it_lies() -> None:
    first, second = (page.blocks[0] for page in open_image(FILES / "fax.tiff").pages)

    # Two lines of letters below the upper edge, and above the lower one of the second frame.
    assert first.line_boxes == (pytest.approx((0.08, 0.2, 0.72, 0.28), abs=0.04),)
    assert second.line_boxes == (pytest.approx((0.35, 0.72, 0.92, 0.8), abs=0.04),)


def test_a_page_in_letters_that_nobody_here_knows_says_so(tmp_path: Path) -> None:
    draw_unknown_letters().save(tmp_path / "letter.png")

    (page,) = open_image(tmp_path / "letter.png").pages

    assert page.warning == f"text in the pictures on page 1 is {UNKNOWN_LETTERS}"


def test_a_damaged_frame_leaves_the_others(tmp_path: Path) -> None:
    good = draw_lines([["Please send twelve deck lamps."]], (640, 300), 28)
    noise = Image.effect_noise((640, 300), 80)
    good.save(tmp_path / "fax.tiff", save_all=True, append_images=[noise])
    cut = (tmp_path / "fax.tiff").stat().st_size - 640 * 200
    content = (tmp_path / "fax.tiff").read_bytes()
    (tmp_path / "fax.tiff").write_bytes(content[:cut])

    first, second = open_image(tmp_path / "fax.tiff").pages

    assert first.blocks
    assert second.warning == "page 2 cannot be read: it is damaged; upload an intact copy"


def test_frames_before_the_place_where_a_tiff_is_cut_off_are_read(tmp_path: Path) -> None:
    content, (_, _, third, _) = four_frames()
    (tmp_path / "fax.tiff").write_bytes(content[: third + 9])

    document = open_image(tmp_path / "fax.tiff")

    first, second, lost = document.pages
    assert document.page_count == 3
    assert [page.blocks[0].text for page in (first, second)] == ["Lamp number 1.", "Lamp number 2."]
    assert lost.warning == f"page 3, and any behind it, cannot be read: {DAMAGED}"


def test_frames_behind_one_with_a_damaged_directory_are_read(tmp_path: Path) -> None:
    content, (_, _, third, last) = four_frames()
    emptied = struct.pack("<HL", 0, last)
    (tmp_path / "fax.tiff").write_bytes(content[:third] + emptied + content[third + 6 :])

    pages = list(open_image(tmp_path / "fax.tiff").pages)

    assert [bool(page.blocks) for page in pages] == [True, True, False, True]
    assert pages[2].warning == f"page 3 cannot be read: {DAMAGED}"


def test_a_picture_of_colours_that_are_not_in_the_file_is_damaged(tmp_path: Path) -> None:
    Image.new("P", (300, 200)).save(tmp_path / "sky.png")
    content = (tmp_path / "sky.png").read_bytes()
    start = content.index(b"PLTE") - 4
    (size,) = struct.unpack_from(">L", content, start)
    (tmp_path / "sky.png").write_bytes(content[:start] + content[start + size + 12 :])

    (page,) = open_image(tmp_path / "sky.png").pages

    assert page.warning == f"page 1 cannot be read: {DAMAGED}"


async def test_a_picture_that_needs_too_much_memory_says_what_to_do(tmp_path: Path) -> None:
    Image.new("RGB", (6000, 6000), "white").save(tmp_path / "plan.png")
    limits = ReadLimits(wall_seconds=60, cpu_seconds=60, memory_bytes=80 * 2**20)

    with pytest.raises(DocumentUnreadable, match=r"its 6000 x 6000 pixels need .* lower"):
        _ = [page async for page in read_isolated(tmp_path / "plan.png", PNG, limits)]


@pytest.mark.parametrize(
    ("intact", "lost"),
    [
        pytest.param(0.0, "nothing of it was read", id="all rows"),
        pytest.param(0.5, "parts of it are lost", id="half of the rows"),
    ],
)
def test_a_fax_with_damaged_rows_says_so(intact: float, lost: str, tmp_path: Path) -> None:
    fax = draw_lines([["Please send twelve deck lamps."], ["We wait."]], (640, 300), 28)
    fax.convert("1").save(tmp_path / "fax.tiff", compression="group3")
    content = (tmp_path / "fax.tiff").read_bytes()
    with Image.open(tmp_path / "fax.tiff") as image:
        (start,), (size,) = image.tag_v2[273], image.tag_v2[279]
    cut = start + int(size * intact)
    noise = bytes(n * 7919 >> 3 & 255 for n in range(start + size - cut))
    (tmp_path / "fax.tiff").write_bytes(content[:cut] + noise + content[start + size :])

    (page,) = open_image(tmp_path / "fax.tiff").pages

    assert page.warning == f"page 1 is damaged, and {lost}; upload an intact copy"
    assert bool(page.blocks) == bool(intact)


def test_a_photograph_with_a_hole_says_so(tmp_path: Path) -> None:
    lines = [["The lease ends."], ["The rent is due."]]
    draw_lines(lines, (900, 900), 60).save(tmp_path / "page.jpg")
    content = (tmp_path / "page.jpg").read_bytes()
    (tmp_path / "page.jpg").write_bytes(content[:-1000] + bytes(900) + content[-100:])

    (page,) = open_image(tmp_path / "page.jpg").pages

    assert "lease ends" in page.blocks[0].text
    assert page.warning == "page 1 is damaged, and parts of it are lost; upload an intact copy"


def test_a_picture_without_text_is_a_page_without_blocks(tmp_path: Path) -> None:
    Image.new("RGB", (300, 200), "skyblue").save(tmp_path / "sky.webp")

    (page,) = open_image(tmp_path / "sky.webp").pages

    assert (page.blocks, page.warning) == ((), "")


def test_a_chart_is_a_figure_with_its_words(tmp_path: Path) -> None:
    draw_chart().save(tmp_path / "chart.png")

    (page,) = open_image(tmp_path / "chart.png").pages

    assert [figure.position for figure in page.figures] == [0]
    assert Image.open(io.BytesIO(page.figures[0].image)).size == (640, 420)
    assert "Lamps sold in 2024" in page.blocks[0].text


def test_a_chart_that_lies_on_its_side_is_set_upright(tmp_path: Path) -> None:
    draw_chart().rotate(90, expand=True).save(tmp_path / "chart.png")

    (page,) = open_image(tmp_path / "chart.png").pages

    assert Image.open(io.BytesIO(page.figures[0].image)).size == (640, 420)


@pytest.mark.parametrize("name", ["receipt.png", "fax.tiff"])
def test_a_scan_of_words_is_no_figure(name: str) -> None:
    assert [page.figures for page in open_image(FILES / name).pages if page.figures] == []


@pytest.mark.parametrize(
    "mode", [pytest.param(mode, id=mode) for mode in ("1", "L", "P", "RGB", "CMYK", "I", "F")]
)
def test_black_on_white_is_seen_so_in_every_mode(mode: str) -> None:
    drawn = draw_lines(RECEIPT, (420, 420), 20).convert(mode)

    picture = picture_of(drawn)

    assert picture.shape == (420, 420, 3)
    assert picture[0, 0].tolist() == [255, 255, 255]
    assert picture.min() < 60


def test_what_is_transparent_is_white() -> None:
    picture = picture_of(Image.new("RGBA", (20, 20), (0, 0, 0, 0)))

    assert picture.min() == 255


def test_what_the_camera_says_of_its_position_is_believed() -> None:
    image = draw_lines(RECEIPT, (420, 300), 20)
    image.getexif()[0x0112] = 6

    picture = picture_of(image)

    assert picture.shape[:2] == (420, 300)


def test_a_giant_picture_is_made_smaller() -> None:
    picture = picture_of(Image.new("1", (8000, 4500), 1))

    assert picture.shape[0] * picture.shape[1] <= 3001 * 3001
