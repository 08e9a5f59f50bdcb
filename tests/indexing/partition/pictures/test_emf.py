import struct

import pytest
from PIL import Image

from indexing.partition.pictures.device_context import DAMAGED, MetafileUnreadable
from indexing.partition.pictures.emf import is_emf, play_emf
from tests.files.metafile_writer import (
    dib,
    emf,
    emf_bitmap,
    emf_font,
    emf_record,
    emf_select,
    emf_text,
)

GLYPH_INDEX, PAIRS, NO_RECTANGLE, SMALL = 0x10, 0x2000, 0x100, 0x200


def texts(*records: bytes) -> list[str]:
    return [run.text for run in play_emf(emf(*records)).runs]


def numbers(kind: int, *values: int) -> bytes:
    return emf_record(kind, struct.pack(f"<{len(values)}i", *values))


def described(text: bytes, count: int, start: int) -> bytes:
    return struct.pack("<2i3I4iI", 100, 50, count, start, 0, 0, 0, -1, -1, 0) + text


BEFORE = bytes(28)
"""Of the record of a text: its bounds, and its scale."""

SMALL_TEXT = struct.pack("<2i3I2f", 100, 50, 4, NO_RECTANGLE | SMALL, 1, 1.0, 1.0) + b"lamp"
WIDE_TEXT = (
    struct.pack("<2i3I2f", 100, 50, 4, 0, 1, 1.0, 1.0) + bytes(16) + "Łódź".encode("utf-16-le")
)


@pytest.mark.parametrize(
    ("record", "found"),
    [
        pytest.param(emf_text("Lämp", 100, 50), ["Lämp"], id="EXTTEXTOUTW"),
        pytest.param(
            emf_record(83, BEFORE + described(b"L\xe4mp", 4, 76)), ["Lämp"], id="EXTTEXTOUTA"
        ),
        pytest.param(emf_record(108, SMALL_TEXT), ["lamp"], id="SMALLTEXTOUT"),
        pytest.param(emf_record(108, WIDE_TEXT), ["Łódź"], id="SMALLTEXTOUT of wide letters"),
        pytest.param(
            emf_record(
                96,
                BEFORE
                + struct.pack("<I", 2)
                + described(b"", 2, 120)
                + described(b"", 2, 122)
                + b"onbe",
            ),
            ["on", "be"],
            id="POLYTEXTOUTA",
        ),
        pytest.param(
            emf_record(97, BEFORE + struct.pack("<I", 1) + described(b"o\0n\0", 2, 80)),
            ["on"],
            id="POLYTEXTOUTW",
        ),
        pytest.param(emf_text("123", 0, 0, options=GLYPH_INDEX), [], id="numbers of glyphs"),
        pytest.param(
            emf_record(108, SMALL_TEXT.replace(b"\0\x03", b"\x10\x03")), [], id="few of them"
        ),
    ],
)
def test_every_record_of_text_is_read(record: bytes, found: list[str]) -> None:
    assert texts(record) == found


def test_a_text_has_its_place_and_the_size_of_its_font() -> None:
    drawn = play_emf(
        emf(
            numbers(17, 8),
            numbers(9, 1000, 1000),
            numbers(11, 500, 500),
            numbers(10, 20, 0),
            numbers(12, 3, 0),
            numbers(22, 24),
            emf_font(2, -40, escapement=900),
            emf_select(2),
            emf_text("lamp", 100, 50, [10, 0, 20, 0, 20, 0, 10, 0], options=PAIRS),
        )
    )

    (run,) = drawn.runs
    assert (run.x, run.y) == pytest.approx((43, 25))
    assert (run.width, run.height, run.angle) == pytest.approx((30, 20, 90))


def test_the_world_is_transformed_step_by_step() -> None:
    def change(way: int, *matrix: float) -> bytes:
        return emf_record(36, struct.pack("<6fI", *matrix, way))

    doubled, shifted = (2, 0, 0, 2, 0, 0), (1, 0, 0, 1, 10, 0)
    at = emf_text("lamp", 100, 50)
    drawn = play_emf(
        emf(
            numbers(22, 24),
            emf_record(35, struct.pack("<6f", *doubled)),
            at,
            change(2, *shifted),
            at,
            change(3, *shifted),
            at,
            change(4, *shifted),
            at,
            change(1, *shifted),
            at,
        )
    )

    assert [run.x for run in drawn.runs] == [200, 220, 230, 110, 100]


def test_the_scale_of_window_and_viewport_changes() -> None:
    drawn = play_emf(
        emf(
            numbers(17, 8),
            numbers(22, 24),
            numbers(9, 100, 100),
            numbers(11, 100, 100),
            numbers(31, 3, 1, 3, 1),
            numbers(32, 1, 2, 1, 0),
            emf_text("lamp", 100, 50),
        )
    )

    assert (drawn.runs[0].x, drawn.runs[0].y) == (600, 150)


def test_fonts_are_chosen_saved_and_deleted() -> None:
    drawn = play_emf(
        emf(
            emf_font(2, -30),
            emf_record(33),
            emf_select(2),
            emf_text("large", 0, 0),
            numbers(34, -1),
            emf_text("small", 0, 50),
            numbers(40, 2),
            emf_select(2),
            emf_text("still small", 0, 80),
            emf_select(0x8000000D),
            emf_text("usual", 0, 100),
        )
    )

    assert [run.height for run in drawn.runs] == [30, 10, 10, 12]


def test_letters_of_8_bits_are_those_of_the_code_page() -> None:
    greek = emf_font(2, -10, charset=161)

    assert texts(
        greek, emf_select(2), emf_record(83, BEFORE + described(b"\xeb\xe1\xec\xf0", 4, 76))
    ) == ["λαμπ"]


def test_the_pen_moves_with_lines_and_texts() -> None:
    drawn = play_emf(
        emf(
            numbers(22, 24 | 1),
            numbers(27, 10, 20),
            emf_text("lamp", 0, 0),
            numbers(54, 70, 90),
            emf_text("lamp", 0, 0),
        )
    )

    assert [(run.x, run.y) for run in drawn.runs] == [(10, 20), (70, 90)]


def test_the_largest_bitmap_is_kept() -> None:
    large, small = Image.new("RGB", (40, 30), "red"), Image.new("RGB", (30, 30), "blue")
    nothing = emf_record(76, bytes(92))

    drawn = play_emf(emf(emf_bitmap(small), emf_bitmap(large), emf_bitmap(small), nothing))

    assert drawn.bitmap == dib(large)


def test_of_a_picture_and_its_mask_the_picture_is_kept() -> None:
    picture, mask = Image.new("RGB", (40, 30), "red"), Image.new("1", (40, 30))

    assert play_emf(emf(emf_bitmap(mask), emf_bitmap(picture))).bitmap == dib(picture)
    assert play_emf(emf(emf_bitmap(picture), emf_bitmap(mask))).bitmap == dib(picture)


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(struct.pack("<2I", 84, 0), id="of no size"),
        pytest.param(struct.pack("<2I", 84, 7), id="smaller than its head"),
        pytest.param(struct.pack("<2I", 84, 0xFFFFFFFF), id="larger than the file"),
        pytest.param(emf_record(84), id="without content"),
        pytest.param(
            emf_record(84, BEFORE + described(b"lamp", 0xFFFFFFFF, 76)), id="of endless text"
        ),
        pytest.param(
            emf_record(84, BEFORE + described(b"lamp", 2, 0xFFFFFFF0)), id="of text elsewhere"
        ),
        pytest.param(
            emf_record(97, BEFORE + struct.pack("<I", 0xFFFFFFFF)), id="of countless texts"
        ),
        pytest.param(emf_record(34), id="that goes nowhere back"),
    ],
)
def test_a_record_that_is_damaged_is_told(record: bytes) -> None:
    with pytest.raises(MetafileUnreadable, match=DAMAGED):
        play_emf(emf(record, emf_text("behind", 0, 0)))


def test_widths_that_are_not_in_the_record_are_guessed() -> None:
    cut_off = emf_text("lamp", 0, 0, advances=[5])

    (run,) = play_emf(emf(cut_off)).runs

    assert not run.is_measured


def test_texts_that_share_their_letters_come_to_an_end() -> None:
    count, letters = 200, "m" * 5_000
    start = 40 + 40 * count
    shared = described(b"", len(letters), start) * count
    record = emf_record(
        97, BEFORE + struct.pack("<I", count) + shared + letters.encode("utf-16-le")
    )

    with pytest.raises(MetafileUnreadable, match="more text"):
        play_emf(emf(record))


def test_records_without_end_come_to_an_end() -> None:
    endless = emf()[:-20] + struct.pack("<2I", 0, 8) * 2_000_001

    with pytest.raises(MetafileUnreadable, match="more than 2,000,000 records"):
        play_emf(endless)


def test_a_drawing_is_told_by_its_beginning() -> None:
    assert is_emf(emf())
    assert not is_emf(b"\1\0\0\0 EMF")
