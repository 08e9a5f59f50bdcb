import contextlib
import gzip
import io
import struct
from collections.abc import Callable
from pathlib import Path

import pptx
import pptx.util
import pytest
from PIL import Image

from indexing.partition.office.libreoffice import converted
from indexing.partition.pictures.device_context import DAMAGED, MetafileUnreadable
from indexing.partition.pictures.metafile import MAX_UNPACKED, is_metafile, read_metafile
from indexing.types import Block, BlockKind
from tests.files.metafile_writer import (
    dib,
    emf,
    emf_bitmap,
    emf_font,
    emf_record,
    emf_select,
    emf_text,
    wmf,
    wmf_bitmap,
    wmf_spaced_text,
    wmf_text,
)
from tests.libreoffice import needs_libreoffice

RED = Image.new("RGB", (40, 30), "red")


def lines(drawing: bytes) -> list[str]:
    return [line for block in read_metafile(drawing).blocks for line in block.text.split("\n")]


def letter_by_letter(text: str, x: int, y: int) -> list[bytes]:
    return [emf_text(letter, x + 5 * n, y) for n, letter in enumerate(text) if letter != " "]


@pytest.mark.parametrize(
    ("records", "read"),
    [
        pytest.param(
            [emf_text("and below", 0, 14), emf_text("above", 0, 0)],
            ["above", "and below"],
            id="from the top",
        ),
        pytest.param(
            [emf_text("lamps", 28, 0), emf_text("Storm", 0, 1)],
            ["Storm lamps"],
            id="from the left",
        ),
        pytest.param(letter_by_letter("Storm lamp", 0, 0), ["Storm lamp"], id="letter by letter"),
        pytest.param(
            [emf_text("Storm ", 0, 0), emf_text("lan", 30, 0), emf_text("tern", 45, 0)],
            ["Storm lantern"],
            id="in parts of words",
        ),
        pytest.param(
            [emf_text("4 m", 0, 0), emf_text("2", 15, -3), emf_text("of wool", 25, 0)],
            ["4 m2 of wool"],
            id="with a raised letter",
        ),
        pytest.param(
            [emf_text("Storm", 0, 0), emf_text("Storm", 1, 1), emf_text("Storm", 0, 0)],
            ["Storm"],
            id="with a shadow",
        ),
    ],
)
def test_lines_are_put_together_from_what_was_written(
    records: list[bytes], read: list[str]
) -> None:
    assert lines(emf(*records)) == read


@pytest.mark.parametrize(
    ("records", "read"),
    [
        pytest.param(
            [wmf_text(word, x, 0) for word, x in [(b"The", 0), (b"harbour", 19), (b"light", 57)]],
            ["The harbour light"],
            id="word by word",
        ),
        pytest.param(
            [wmf_text(bytes([letter]), 5 * n, 0) for n, letter in enumerate(b"harbour")],
            ["harbour"],
            id="letter by letter",
        ),
    ],
)
def test_where_words_end_is_guessed_if_it_is_not_told(
    records: list[bytes], read: list[str]
) -> None:
    assert lines(wmf(*records)) == read


def test_what_stands_in_columns_is_a_table() -> None:
    rows = [("Region", "Lamps", "Price"), ("North East", "120", "24.50"), ("South", "45", "61.00")]
    records = [
        emf_text(cell, 100 * column, 15 * row)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
    ]

    (table,) = read_metafile(emf(*records)).blocks

    assert table == Block(
        BlockKind.TABLE, "North East | 120 | 24.50\nSouth | 45 | 61.00", "Region | Lamps | Price"
    )


def test_turned_texts_are_lines_of_their_own_behind_the_others() -> None:
    drawing = emf(
        emf_font(2, -10, escapement=900),
        emf_select(2),
        emf_text("Pieces", 0, 70),
        emf_text("sold", 0, 35),
        emf_select(1),
        emf_text("120", 15, 50),
        emf_text("Lamps of 2003", 15, 90),
    )

    assert lines(drawing) == ["120", "Lamps of 2003", "Pieces sold"]


def test_much_larger_letters_are_a_heading() -> None:
    title = [emf_font(2, -30), emf_select(2), emf_text("Sales", 0, 0, [15] * 5), emf_select(1)]
    below = [emf_text(f"line {n} of the text", 0, 60 + 14 * n) for n in range(4)]

    blocks = read_metafile(emf(*title, *below)).blocks

    assert blocks[0] == Block(BlockKind.HEADING, "Sales")


def test_what_is_far_off_the_sheet_is_left_out() -> None:
    far = emf_text("far", 1 << 30, -(1 << 30))

    assert lines(emf(*letter_by_letter("lamp", 0, 0), far)) == ["lamp"]


@pytest.mark.parametrize(
    "drawing",
    [
        pytest.param(emf(emf_text("lamp", 0, 0), emf_bitmap(RED)), id="EMF"),
        pytest.param(wmf(wmf_text(b"lamp", 0, 0), wmf_bitmap(RED)), id="WMF"),
        pytest.param(
            wmf(wmf_text(b"lamp", 0, 0), wmf_bitmap(RED), is_placeable=False), id="plain WMF"
        ),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_each_kind_of_drawing_gives_its_text_and_bitmap(
    drawing: bytes, pack: Callable[[bytes], bytes]
) -> None:
    packed = pack(drawing)

    read = read_metafile(packed)

    assert is_metafile(packed)
    assert (read.blocks, read.bitmap) == ((Block(BlockKind.TEXT, "lamp"),), dib(RED))


def test_a_picture_is_no_drawing() -> None:
    content = io.BytesIO()
    RED.save(content, "PNG")

    assert not is_metafile(content.getvalue())


SMALL_EMF = emf(emf_text("Storm lamps", 0, 0), emf_record(34, b"\xff" * 4), emf_bitmap(RED))
SMALL_WMF = wmf(wmf_spaced_text(b"Storm lamps", 0, 0), wmf_bitmap(RED))


@pytest.mark.parametrize(
    "drawing",
    [
        pytest.param(SMALL_EMF, id="EMF"),
        pytest.param(SMALL_WMF, id="WMF"),
        pytest.param(gzip.compress(SMALL_EMF), id="EMZ"),
    ],
)
def test_a_drawing_that_is_cut_off_is_damaged(drawing: bytes) -> None:
    # Of the last record only its head is read.
    for length in range(len(drawing) - 20):
        with pytest.raises(MetafileUnreadable, match=DAMAGED):
            read_metafile(drawing[:length])


@pytest.mark.parametrize("drawing", [SMALL_EMF[:700], SMALL_WMF[:400]], ids=["EMF", "WMF"])
def test_whatever_a_number_says_reading_ends(drawing: bytes) -> None:
    for value in (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
        for at in range(0, len(drawing) - 4, 2):
            changed = drawing[:at] + struct.pack("<I", value) + drawing[at + 4 :]
            with contextlib.suppress(MetafileUnreadable):
                read_metafile(changed)


@pytest.mark.parametrize(
    ("packed", "reason"),
    [
        pytest.param(gzip.compress(bytes(MAX_UNPACKED + 1), 1), "more than 100 MB", id="a bomb"),
        pytest.param(gzip.compress(b"lamp"), DAMAGED, id="of something else"),
        pytest.param(b"\x1f\x8b" + bytes(40), DAMAGED, id="not even that"),
    ],
)
def test_what_is_packed_is_looked_at_with_care(packed: bytes, reason: str) -> None:
    with pytest.raises(MetafileUnreadable, match=reason):
        read_metafile(packed)


@pytest.mark.parametrize("name", ["docx", "xlsx", "pptx"])
def test_a_drawing_of_windows_itself_is_read(name: str) -> None:
    icon = Path(pptx.__file__).parent / "templates" / f"{name}-icon.emf"

    assert (
        lines(icon.read_bytes())
        == {
            "docx": ["Microsoft", "Word Document"],
            "xlsx": ["Microsoft", "Excel Worksheet"],
            "pptx": ["Microsoft", "PowerPoint Presentation"],
        }[name]
    )


@needs_libreoffice
@pytest.mark.parametrize("kind", ["emf", "wmf"])
def test_a_drawing_of_libreoffice_is_read(kind: str, tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Prices of the harbour"
    inch = pptx.util.Inches(1)
    table = slide.shapes.add_table(3, 3, inch, 2 * inch, 8 * inch, 2 * inch).table
    rows = [("Region", "Lamps", "Price"), ("North East", "120", "24.50"), ("Küste", "45", "61.00")]
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            table.cell(row, column).text = cell
    turned = slide.shapes.add_textbox(0, 3 * inch, 2 * inch, inch // 2)
    turned.text_frame.text = "Pieces sold"
    turned.rotation = -90
    deck.save(str(tmp_path / "deck.pptx"))

    with converted(tmp_path / "deck.pptx", "pptx", [kind]) as (drawing,):
        blocks = read_metafile(drawing.read_bytes()).blocks

    assert blocks == (
        Block(BlockKind.HEADING, "Prices of the harbour"),
        Block(
            BlockKind.TABLE,
            "North East | 120 | 24.50\nKüste | 45 | 61.00",
            "Region | Lamps | Price",
        ),
        Block(BlockKind.TEXT, "Pieces sold"),
    )
