import io
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from indexing.partition.office_pictures import (
    MIN_LETTERS_AGAIN,
    PICTURES_AT_A_TIME,
    Album,
    ShownPicture,
    parted_at_marks,
    without_marks,
)
from indexing.types import NO_PAGE, Block, BlockKind, Page, ReadBy
from tests.files.make_files import draw_chart, draw_lines

SHEET = 600 * 800.0


def png(*lines: str, size: tuple[int, int] = (640, 300)) -> bytes:
    return saved(draw_lines([[line] for line in lines], size, 28))


def saved(picture: Image.Image, kind: str = "PNG") -> bytes:
    content = io.BytesIO()
    picture.save(content, kind)
    return content.getvalue()


def album_of(folder: Path, **members: bytes) -> tuple[Album, list[str]]:
    """Return an album of a package with these members, and the mark of each."""
    with zipfile.ZipFile(folder / "package.zip", "w") as package:
        for name, content in members.items():
            package.writestr(name, content)
    album = Album(folder / "package.zip", SHEET)
    return album, [album.mark(ShownPicture(name, 300, 200)) for name in members]


def text(words: str) -> Block:
    return Block(BlockKind.TEXT, words)


def test_what_is_recognised_stands_in_place_of_the_picture(tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, note=png("Twelve lamps at gate three"))
    page = Page(4, (text("before"), text(mark), text("behind")))

    (read,) = album.pages([page], 0)

    assert [block.text for block in read.blocks] == [
        "before",
        "Twelve lamps at gate three",
        "behind",
    ]
    assert (read.read_by, read.pictures, read.warning) == (ReadBy.MIXED, 1, "")


def test_a_page_of_pictures_alone_is_read_by_recognition(tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, scan=png("The rent is due in March"))

    (read,) = album.pages([Page(1, (text(mark),))], 0)

    assert (read.read_by, read.blocks) == (ReadBy.OCR, (text("The rent is due in March"),))


def test_pictures_of_pages_that_are_left_out_are_not_looked_at(tmp_path: Path) -> None:
    album, (damaged, note) = album_of(tmp_path, bad=b"none", note=png("Twelve lamps at gate three"))

    pages = album.pages([Page(1, (text(damaged),)), Page(2, (text(note),))], 1)

    assert [(page.number, page.warning) for page in pages] == [(2, "")]


def test_a_page_is_read_when_its_turn_comes(tmp_path: Path) -> None:
    album, (note, bad) = album_of(tmp_path, note=png("Twelve lamps at gate three"), bad=b"none")
    pages = album.pages([Page(1, (text(note),)), Page(2, (text(bad),))], 0)

    first = next(pages)

    assert first.blocks[0].text == "Twelve lamps at gate three"
    assert len(album._remembered) == 1


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"no picture at all", "it is damaged", id="damaged"),
        pytest.param(png("cut off in the middle")[:900], "it is damaged", id="cut off"),
        pytest.param(
            saved(Image.new("1", (20_000, 10_001))), "it has more than 200,000,000", id="a bomb"
        ),
    ],
)
def test_what_cannot_be_read_is_a_warning(content: bytes, reason: str, tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, bad=content)

    (read,) = album.pages([Page(7, (text("words"), text(mark)))], 0)

    assert read.blocks == (text("words"),)
    assert read.warning.startswith(f"1 of the pictures on page 7 cannot be read: {reason}")


def test_a_missing_picture_is_a_warning(tmp_path: Path) -> None:
    album, _ = album_of(tmp_path)
    mark = album.mark(ShownPicture("gone.png", 300, 200))

    (read,) = album.pages([Page(NO_PAGE, (text(mark),))], 0)

    assert read.warning == "1 of the pictures cannot be read: it is damaged"


@pytest.mark.parametrize(
    ("words", "warns"),
    [
        pytest.param("", True, id="nothing else on the page"),
        pytest.param("Sales by region", False, id="beside text"),
    ],
)
def test_drawings_of_windows_are_left_out(words: str, warns: bool, tmp_path: Path) -> None:
    album, _ = album_of(tmp_path)
    mark = album.mark(ShownPicture("chart.EMF", 300, 200))

    (read,) = album.pages([Page(2, (*([text(words)] if words else []), text(mark)))], 0)

    assert bool(read.warning) is warns


def test_logos_have_no_mark(tmp_path: Path) -> None:
    album, _ = album_of(tmp_path)

    assert album.mark(ShownPicture("logo.png", 60, 60)) == ""
    assert album.mark(ShownPicture("rule.png", 600, 30)) == ""
    assert not album


def test_the_same_picture_has_the_same_mark(tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, note=b"")

    assert album.mark(ShownPicture("note", 300, 200)) == mark
    assert album.shown(text(mark)) == ShownPicture("note", 300, 200)
    assert album.shown(text("words")) is None


def test_the_few_words_of_a_logo_are_said_once(tmp_path: Path) -> None:
    note = "A longer text is repeated on each page that shows it"
    album, (logo, long) = album_of(
        tmp_path, logo=png("Harbour Light"), long=png(note[:26], note[27:])
    )
    page = (text(logo), text(long))

    first, second = album.pages([Page(1, page), Page(2, page)], 0)

    assert len("HarbourLight") < MIN_LETTERS_AGAIN
    assert first.blocks[0].text == "Harbour Light"
    assert len(first.blocks) == 2
    assert second.blocks == first.blocks[1:]


def test_only_what_is_shown_of_a_picture_is_read(tmp_path: Path) -> None:
    album, _ = album_of(tmp_path, note=png("Upper line of text", "", "", "Lower line of text"))
    mark = album.mark(ShownPicture("note", 300, 200, crop=(0, 0.45, 0, 0)))

    (read,) = album.pages([Page(1, (text(mark),))], 0)

    assert [block.text for block in read.blocks] == ["Lower line of text"]


def test_short_texts_stay_in_their_cells_and_long_ones_follow_the_table(tmp_path: Path) -> None:
    letter = [f"Line {n} of a letter about the storm lanterns" for n in range(6)]
    album, (label, scan) = album_of(
        tmp_path, label=png("Code 4711"), scan=png(*letter, size=(900, 600))
    )
    table = Block(BlockKind.TABLE, f"Lantern | {label}\nLetter | {scan}", header="Name | Shown")

    (read,) = album.pages([Page(1, (table,))], 0)

    assert read.blocks[0] == replace_text(table, "Lantern | Code 4711\nLetter")
    assert "storm lanterns" in read.blocks[1].text


def replace_text(table: Block, rows: str) -> Block:
    return Block(table.kind, rows, table.header)


def test_a_chart_is_handed_on_as_a_figure_before_its_words(tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, chart=saved(draw_chart()))

    (read,) = album.pages([Page(1, (text("See the chart"), text(mark), text(mark)))], 0)

    assert [figure.position for figure in read.figures] == [1]
    assert "Lamps sold in 2024" in read.blocks[1].text


def test_a_text_without_pages_comes_in_pieces(tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, note=b"damaged")
    blocks = [text(mark)] * (PICTURES_AT_A_TIME + 1)

    pages = list(album.pages([Page(NO_PAGE, (*blocks, text("end")))], 0))

    assert [page.pictures for page in pages] == [PICTURES_AT_A_TIME, 1]
    assert [block.text for page in pages for block in page.blocks] == ["end"]


def test_a_character_that_is_no_mark_stays(tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, label=png("Code 4711"))
    icon = "\U000ffff0"

    (read,) = album.pages([Page(1, (Block(BlockKind.TABLE, f"{icon} | {mark}"),))], 0)

    assert read.blocks == (Block(BlockKind.TABLE, f"{icon} | Code 4711"),)


A, B = chr(0xF0000), chr(0xF0001)


@pytest.mark.parametrize(
    ("marked", "parts"),
    [
        pytest.param("words", ["words"], id="none"),
        pytest.param(f"words {A} go on", ["words  go on", A], id="within a sentence"),
        pytest.param(f"{A}\nFigure 1", [A, "Figure 1"], id="above its caption"),
        pytest.param(f"{A} Figure 1", [A, "Figure 1"], id="beside its caption"),
        pytest.param(f"one\n{A}{B}\ntwo", ["one", A, B, "two"], id="on a line of their own"),
    ],
)
def test_pictures_are_parted_from_the_text(marked: str, parts: list[str]) -> None:
    assert [block.text for block in parted_at_marks(text(marked))] == parts


def test_a_picture_in_a_heading_is_no_heading() -> None:
    heading, picture = parted_at_marks(Block(BlockKind.HEADING, f"Sales {A}"))

    assert (heading, picture) == (Block(BlockKind.HEADING, "Sales"), text(A))


def test_marks_are_dropped_when_they_are_known() -> None:
    known: set[str] = set()

    assert [without_marks(f"{A} first", known), without_marks(f"{A}{B}", known)] == [
        f"{A} first",
        B,
    ]
