import struct

import pytest
from PIL import Image

from indexing.partition.pictures.device_context import DAMAGED, MetafileUnreadable
from indexing.partition.pictures.wmf import MAX_OBJECTS, Objects, is_wmf, play_wmf
from tests.files.metafile_writer import (
    dib,
    wmf,
    wmf_bitmap,
    wmf_font,
    wmf_record,
    wmf_spaced_text,
    wmf_text,
)

OPAQUE, GLYPH_INDEX = 2, 0x10
SELECT, DELETE, PEN, TEXT_ALIGN, MAP_MODE = 0x012D, 0x01F0, 0x02FA, 0x012E, 0x0103


@pytest.mark.parametrize(
    ("record", "found"),
    [
        pytest.param(wmf_text(b"lamp", 7, 9), ["lamp"], id="TEXTOUT"),
        pytest.param(wmf_text(b"lamps", 7, 9), ["lamps"], id="of an odd length"),
        pytest.param(wmf_spaced_text(b"lamps", 7, 9), ["lamps"], id="EXTTEXTOUT"),
        pytest.param(wmf_spaced_text(b"L\xe4mp", 7, 9, OPAQUE), ["Lämp"], id="on a rectangle"),
        pytest.param(wmf_spaced_text(b"123", 7, 9, GLYPH_INDEX), [], id="numbers of glyphs"),
    ],
)
@pytest.mark.parametrize("is_placeable", [True, False])
def test_every_record_of_text_is_read(record: bytes, found: list[str], is_placeable: bool) -> None:
    drawing = wmf(record, is_placeable=is_placeable)

    assert is_wmf(drawing)
    assert [run.text for run in play_wmf(drawing).runs] == found


def test_a_text_has_its_place_and_the_size_of_its_font() -> None:
    drawn = play_wmf(
        wmf(
            wmf_record(MAP_MODE, 8),
            wmf_record(TEXT_ALIGN, 24),
            wmf_record(0x020C, 1000, 1000),
            wmf_record(0x020E, 500, 500),
            wmf_record(0x020B, 0, 20),
            wmf_record(0x020F, 0, 4),
            wmf_record(0x020D, 1, 3),
            wmf_record(0x0211, 1, 3),
            wmf_record(0x0410, 1, 2, 1, 2),
            wmf_record(0x0412, 1, 4, 0, 4),
            wmf_font(-40, escapement=900),
            wmf_record(SELECT, 1),
            wmf_spaced_text(b"lamp", 124, 50),
        )
    )

    (run,) = drawn.runs
    assert (run.x, run.y) == pytest.approx((106, 52))
    assert (run.width, run.height, run.angle) == pytest.approx((20, 40, 90))


def test_letters_are_those_of_the_code_page_of_the_font() -> None:
    records = [
        wmf_font(-10, charset=204),
        wmf_record(SELECT, 1),
        wmf_text("Лампа".encode("cp1251"), 0, 0),
        wmf_font(-10, charset=128),
        wmf_record(SELECT, 2),
        wmf_spaced_text("東京".encode("cp932"), 0, 50),
    ]

    assert [run.text for run in play_wmf(wmf(*records)).runs] == ["Лампа", "東京"]


def test_a_new_object_has_the_lowest_free_number() -> None:
    drawn = play_wmf(
        wmf(
            wmf_record(PEN, 0, 1, 0, 0, 0),  # 1
            wmf_font(-30),  # 2
            wmf_record(DELETE, 1),
            wmf_font(-20),  # 1
            wmf_record(SELECT, 2),
            wmf_text(b"large", 0, 0),
            wmf_record(SELECT, 1),
            wmf_text(b"middle", 0, 50),
        )
    )

    assert [run.height for run in drawn.runs] == [30, 20]


def test_a_state_is_saved_and_the_pen_moves() -> None:
    drawn = play_wmf(
        wmf(
            wmf_record(0x001E),
            wmf_record(TEXT_ALIGN, 24 | 1),
            wmf_record(0x0214, 20, 10),
            wmf_text(b"at the pen", 0, 0),
            wmf_record(0x0213, 60, 50),
            wmf_text(b"further", 0, 0),
            wmf_record(0x0127, -1),
            wmf_record(TEXT_ALIGN, 24),
            wmf_text(b"at its place", 1, 2),
        )
    )

    assert [(run.x, run.y) for run in drawn.runs] == [(10, 20), (50, 60), (1, 2)]


def test_the_largest_bitmap_is_kept() -> None:
    large, small = Image.new("RGB", (40, 30), "red"), Image.new("RGB", (30, 30), "blue")

    drawn = play_wmf(wmf(wmf_bitmap(small), wmf_bitmap(large), wmf_record(0x0940, *[0] * 9)))

    assert drawn.bitmap == dib(large)


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(struct.pack("<IH", 0, 0x0521), id="of no size"),
        pytest.param(struct.pack("<IH", 2, 0x0521), id="smaller than its head"),
        pytest.param(struct.pack("<IH", 0xFFFFFFFF, 0x0521), id="larger than the file"),
        pytest.param(wmf_record(0x0521), id="without content"),
        pytest.param(wmf_record(0x0521, -1, 0, 0), id="of too long a text"),
        pytest.param(wmf_record(0x0A32, 0, 0, -1, 0), id="of too long a spaced text"),
    ],
)
def test_a_record_that_is_damaged_is_told(record: bytes) -> None:
    with pytest.raises(MetafileUnreadable, match=DAMAGED):
        play_wmf(wmf(record, wmf_text(b"behind", 0, 0)))


def test_widths_that_are_not_in_the_record_are_guessed() -> None:
    text = wmf_record(0x0A32, 9, 7, 4, 0, 5, content=b"lamp")

    (run,) = play_wmf(wmf(text)).runs

    assert not run.is_measured


def test_records_without_end_come_to_an_end() -> None:
    endless = wmf()[:-6] + struct.pack("<IH", 3, 0x0400) * 2_000_001

    with pytest.raises(MetafileUnreadable, match="more than 2,000,000 records"):
        play_wmf(endless)


def test_no_more_objects_are_kept_than_have_a_number() -> None:
    objects = Objects()
    for _ in range(MAX_OBJECTS + 5):
        objects.add(None)

    objects.delete(MAX_OBJECTS + 1)
    objects.delete(7)
    objects.delete(7)
    objects.add(None)
    objects.add(None)

    assert len(objects._known) == MAX_OBJECTS
