import gzip
import io
import time
import zipfile
from collections.abc import Iterator
from math import inf
from pathlib import Path

import docx
import docx.shared
import pptx
import pptx.util
import pytest
from PIL import Image

from indexing.ocr import UNKNOWN_LETTERS
from indexing.partition.office.pictures import (
    MIN_LETTERS_AGAIN,
    PICTURES_AT_A_TIME,
    Album,
    ShownPicture,
    parted_at_marks,
    without_marks,
)
from indexing.partition.office.time_to_look import OVER, TIME_TO_LOOK
from indexing.partition.slides.presentation import open_pptx
from indexing.partition.word.document import open_docx
from indexing.types import NO_PAGE, Block, BlockKind, Page, ReadBy
from tests.files.drawn import draw_chart, draw_lines, draw_unknown_letters
from tests.files.metafile_writer import emf, emf_bitmap, emf_text, wmf, wmf_bitmap, wmf_text

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


def test_a_picture_in_letters_that_nobody_here_knows_is_a_warning(tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, note=saved(draw_unknown_letters()))

    (read,) = album.pages([Page(4, (text("before"), text(mark)))], 0)

    assert read.blocks[0] == text("before")
    assert read.warning == f"text in the pictures on page 4 is {UNKNOWN_LETTERS}"


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


@pytest.mark.parametrize("words", ["", "Sales by region"])
def test_the_text_of_a_drawing_stands_in_its_place(words: str, tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, drawing=emf(emf_text("Q1 2003", 0, 0)))
    before = [text(words)] if words else []

    (read,) = album.pages([Page(2, (*before, text(mark)))], 0)

    assert read.blocks == (*before, text("Q1 2003"))
    assert (read.read_by, read.pictures, read.warning) == (ReadBy.TEXT, 1, "")


def test_a_bitmap_that_is_wrapped_in_a_drawing_is_looked_at(tmp_path: Path) -> None:
    picture = draw_lines([["Twelve lamps at gate three"]], (640, 300), 28)
    album, marks = album_of(
        tmp_path,
        wrapped=wmf(wmf_bitmap(picture)),
        noted=emf(emf_bitmap(picture), emf_text("See here", 0, 0)),
    )

    wrapped, noted = album.pages([Page(n, (text(mark),)) for n, mark in enumerate(marks, 1)], 0)

    assert wrapped.blocks == (text("Twelve lamps at gate three"),)
    assert noted.blocks == (text("See here"), text("Twelve lamps at gate three"))
    assert [wrapped.read_by, noted.read_by] == [ReadBy.OCR, ReadBy.MIXED]


NOTHING_READ = "nothing on page 2 is read: there is no text in its drawings (EMF, WMF)"
ICON = Image.new("RGB", (16, 16), "red")


@pytest.mark.parametrize(
    ("drawing", "words", "warning"),
    [
        pytest.param(emf(), "", NOTHING_READ, id="nothing else on the page"),
        pytest.param(emf(emf_bitmap(ICON)), "", NOTHING_READ, id="nothing but an icon"),
        pytest.param(emf(), "Sales by region", "", id="beside text"),
    ],
)
def test_a_drawing_without_words_is_told_where_there_is_nothing_else(
    drawing: bytes, words: str, warning: str, tmp_path: Path
) -> None:
    album, (mark,) = album_of(tmp_path, drawing=drawing)

    (read,) = album.pages([Page(2, (*([text(words)] if words else []), text(mark)))], 0)

    assert read.warning == warning


@pytest.mark.parametrize(
    ("drawing", "blocks"),
    [
        pytest.param(emf(emf_text("words", 0, 0))[:-30], (), id="cut off"),
        pytest.param(gzip.compress(b"none"), (), id="of something else"),
        pytest.param(
            emf(emf_text("words", 0, 0), emf_bitmap(Image.new("RGB", (300, 300)), length=99)),
            (text("words"),),
            id="with a damaged bitmap",
        ),
    ],
)
def test_a_damaged_drawing_is_a_warning(
    drawing: bytes, blocks: tuple[Block, ...], tmp_path: Path
) -> None:
    album, (mark,) = album_of(tmp_path, drawing=drawing)

    (read,) = album.pages([Page(7, (text(mark),))], 0)

    assert read.blocks == blocks
    assert read.warning == "1 of the pictures on page 7 cannot be read: it is damaged"


def test_the_few_words_of_a_drawing_are_said_once(tmp_path: Path) -> None:
    long = "A longer text is repeated on each page that shows it"
    album, (logo, chart) = album_of(
        tmp_path, logo=emf(emf_text("Harbour Light", 0, 0)), chart=emf(emf_text(long, 0, 0))
    )
    page = (text(logo), text(chart))

    first, second = album.pages([Page(1, page), Page(2, page)], 0)

    assert [block.text for block in first.blocks] == ["Harbour Light", long]
    assert second.blocks == first.blocks[1:]


def drawn_in_office(path: Path, drawing: bytes, kind: str) -> Path:
    """Put the drawing in place of the one picture in a document, as Office has it."""
    packed = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(packed) as package, zipfile.ZipFile(path, "w") as changed:
        for member in package.namelist():
            content = package.read(member)
            for before, after in [
                ("image1.png", f"image1.{kind}"),
                ('Extension="png"', f'Extension="{kind}"'),
                ("image/png", f"image/x-{kind}"),
            ]:
                content = content.replace(before.encode(), after.encode())
            is_picture = member.endswith("image1.png")
            name = member.replace("image1.png", f"image1.{kind}")
            changed.writestr(name, drawing if is_picture else content)
    return path


LABEL = "Lamps by quarter"
DRAWINGS = [
    pytest.param(emf(emf_text(LABEL, 0, 0)), "emf", id="EMF"),
    pytest.param(wmf(wmf_text(LABEL.encode(), 0, 0)), "wmf", id="WMF"),
    pytest.param(gzip.compress(emf(emf_text(LABEL, 0, 0))), "emz", id="EMZ"),
]


@pytest.mark.parametrize(("drawing", "kind"), DRAWINGS)
def test_a_drawing_in_a_word_document_is_read(drawing: bytes, kind: str, tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("See the chart")
    document.add_picture(io.BytesIO(png("in its place")), width=docx.shared.Inches(5))
    document.save(str(tmp_path / "a.docx"))

    (page,) = open_docx(drawn_in_office(tmp_path / "a.docx", drawing, kind)).pages

    assert [block.text for block in page.blocks] == ["See the chart", LABEL]
    assert page.read_by is ReadBy.TEXT


@pytest.mark.parametrize(("drawing", "kind"), DRAWINGS)
def test_a_drawing_on_a_slide_is_read(drawing: bytes, kind: str, tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    width = pptx.util.Inches(5)
    slide.shapes.add_picture(io.BytesIO(png("in its place")), 0, 0, width)
    deck.save(str(tmp_path / "a.pptx"))

    (page,) = open_pptx(drawn_in_office(tmp_path / "a.pptx", drawing, kind)).pages

    assert [block.text for block in page.blocks] == [LABEL]
    assert page.read_by is ReadBy.TEXT


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


@pytest.fixture
def no_time() -> Iterator[None]:
    TIME_TO_LOOK.begin(-1, inf)
    yield
    TIME_TO_LOOK.begin(inf, inf)


@pytest.mark.usefixtures("no_time")
def test_of_a_page_without_time_to_look_the_text_comes(tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, note=png("Twelve lamps at gate three"))

    (read,) = album.pages([Page(4, (text("before"), text(mark), text("behind")))], 0)

    assert [block.text for block in read.blocks] == ["before", "behind"]
    assert read.warning == f"1 of the pictures on page 4 cannot be read: {OVER}"


def test_a_text_without_pages_comes_in_pieces(tmp_path: Path) -> None:
    names = [f"note{number}" for number in range(PICTURES_AT_A_TIME + 1)]
    album, marks = album_of(tmp_path, **dict.fromkeys(names, b"damaged"))

    pages = list(album.pages([Page(NO_PAGE, (*map(text, marks), text("end")))], 0))

    assert [page.pictures for page in pages] == [PICTURES_AT_A_TIME, 1]
    assert [block.text for page in pages for block in page.blocks] == ["end"]


def test_a_picture_that_is_shown_again_and_again_tears_no_text_apart(tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, note=b"damaged")

    (page,) = album.pages([Page(NO_PAGE, (text(mark),) * 1000)], 0)

    assert page.warning == "1000 of the pictures cannot be read: it is damaged"


def test_a_damaged_picture_is_looked_at_once(tmp_path: Path) -> None:
    album, (mark,) = album_of(tmp_path, note=b"damaged" * 1_000_000)
    began = time.process_time()

    assert list(album.pages([Page(1, (text(mark),) * 3000)], 0))

    # Unpacked for each time that it is shown, it takes a minute.
    assert time.process_time() - began < 10


def test_a_warning_about_a_text_stands_on_its_first_piece(tmp_path: Path) -> None:
    names = [f"note{number}" for number in range(PICTURES_AT_A_TIME + 1)]
    album, marks = album_of(tmp_path, **dict.fromkeys(names, png("Code 4711")))
    sheet = Page(NO_PAGE, tuple(map(text, marks)), warning="cut off")

    assert [page.warning for page in album.pages([sheet], 0)] == ["cut off", ""]


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
