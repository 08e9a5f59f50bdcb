import base64
import io
import random
import time
import zlib
from collections.abc import Sequence
from pathlib import Path

import pypdfium2
import pytest

from indexing.partition.pdf.damage import is_damaged
from indexing.partition.pdf.document import open_pdf
from indexing.types import Page
from tests.files.drawn import draw_lines
from tests.files.hostile_pdfs import FONT, PAGE, pdf, stream

RENT = b"".join(b"BT /F 12 Tf 20 %d Td (Rent of month %d) Tj ET\n" % (9 * n, n) for n in range(90))
PACKED = zlib.compress(RENT)
IN_LETTERS = base64.a85encode(PACKED) + b"~>"
FLATE = b"/Filter/FlateDecode"
BOTH = b"/Filter[/ASCII85Decode/FlateDecode]"
ENDLESS_ROWS = b"/DecodeParms<</Predictor 15/Columns 100000000/Colors 99>>"
ROWS = b"/DecodeParms<</Predictor 15/Columns 4>>"
GREY = zlib.compress(random.Random(1).randbytes(300 * 300))
SCAN = b"/Subtype/Image/Width 300/Height 300/BitsPerComponent 8/ColorSpace/DeviceGray"
JPEG = b"/Filter/DCTDecode"
BITS = SCAN.replace(b"Component 8", b"Component 1")
RESOURCES = b"<</XObject<</Scan 5 0 R/Form 6 0 R>>>>"
WARNING = "page 1 is damaged, and nothing of it was read; upload an intact copy"


def overwritten(content: bytes) -> bytes:
    return content[:5] + b"\xaa" * 40 + content[45:]


@pytest.mark.parametrize(
    "streams",
    [
        pytest.param([stream(overwritten(PACKED), FLATE)], id="overwritten"),
        pytest.param([stream(b"\0\0" + PACKED[2:], FLATE)], id="without its beginning"),
        pytest.param([stream(PACKED[:8], FLATE)], id="cut off"),
        pytest.param([stream(overwritten(IN_LETTERS), BOTH)], id="overwritten letters"),
        pytest.param([stream(IN_LETTERS[:20], BOTH)], id="letters cut off"),
        pytest.param(
            [stream(zlib.compress(b"q Q\n"), FLATE), stream(PACKED[:8], FLATE)], id="second stream"
        ),
        pytest.param([stream(PACKED, FLATE + ENDLESS_ROWS)], id="endless rows"),
        pytest.param([b"[5 0 R]", stream(PACKED[:8], FLATE)], id="in a list of its own"),
    ],
)
def test_a_damaged_page_without_text_is_told(streams: Sequence[bytes], tmp_path: Path) -> None:
    (page,) = read(tmp_path, streams)

    assert (page.blocks, page.warning) == ((), WARNING)


@pytest.mark.parametrize(
    "streams",
    [
        pytest.param([], id="nothing"),
        pytest.param([stream(b"", FLATE)], id="empty stream"),
        pytest.param([stream(zlib.compress(b""), FLATE)], id="nothing packed"),
        pytest.param([stream(zlib.compress(b" \n"), FLATE)], id="white space"),
        pytest.param([stream(zlib.compress(b"1 0 0 rg 5 5 9 9 re f"), FLATE)], id="drawing"),
        pytest.param([stream(b"q Q")], id="not packed"),
        pytest.param([stream(zlib.compress(b"\0q Q\n"), FLATE + ROWS)], id="rows"),
        pytest.param([stream(base64.a85encode(zlib.compress(b"q Q")) + b"~>", BOTH)], id="letters"),
        pytest.param([stream(b"80 0B", b"/Filter/LZWDecode")], id="another filter"),
    ],
)
def test_a_blank_page_is_no_damaged_one(streams: Sequence[bytes], tmp_path: Path) -> None:
    (page,) = read(tmp_path, streams)

    assert (page.blocks, page.warning) == ((), "")


LARGE_HOLE = b"%" + bytes(4096)


def holed(content: bytes, begin: bytes, end: bytes = b"endobj") -> bytes:
    """Return a file with zeros from the one to the other, and so many behind it that it shows."""
    start = content.index(begin)
    stop = content.index(end, start)
    return content[:start] + bytes(stop - start) + content[stop:] + LARGE_HOLE


TEXT = pdf(
    {
        3: PAGE % FONT.replace(b"/F ", b"/H 5 0 R /F "),
        4: stream(zlib.compress(b"BT /F 12 Tf 9 99 Td (The lease ends.) Tj /H 9 Tf ET"), FLATE),
        5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R >>",
        6: stream(PACKED, FLATE),
        7: b"<< /Title (lamps) >>",
    }
)
NO_TEXT = pdf({4: stream(RENT[:600])})


@pytest.mark.parametrize(
    ("content", "lost"),
    [
        pytest.param(TEXT, "", id="nothing is lost"),
        pytest.param(holed(TEXT, b"7 0 obj"), "", id="the hole is elsewhere"),
        pytest.param(holed(TEXT, b"5 0 obj"), "parts of it are lost", id="a font"),
        pytest.param(
            holed(TEXT, PACKED[200:], b"endstream"), "parts of it are lost", id="in a stream"
        ),
        pytest.param(holed(NO_TEXT, b"4 0 obj"), "nothing of it was read", id="all that is drawn"),
    ],
)
def test_of_a_broken_file_each_page_is_looked_through(
    content: bytes, lost: str, tmp_path: Path
) -> None:
    (tmp_path / "broken.pdf").write_bytes(content)

    (page,) = open_pdf(tmp_path / "broken.pdf").pages

    assert page.warning == (f"page 1 is damaged, and {lost}; upload an intact copy" if lost else "")


def test_a_photograph_of_a_broken_file_is_looked_through(tmp_path: Path) -> None:
    photograph = io.BytesIO()
    lines = [["The lease ends."], ["The rent is due."]]
    draw_lines(lines, (900, 900), 60).convert("L").save(photograph, "JPEG")
    scan = SCAN.replace(b"300", b"900") + JPEG
    content = pdf(
        {
            3: PAGE % b"/Resources <</XObject<</Scan 5 0 R>>>>",
            4: stream(b"300 0 0 300 0 0 cm /Scan Do"),
            5: stream(photograph.getvalue(), scan),
        }
    )
    end = content.index(b"\xff\xd9")
    content = content[: end - 600] + bytes(600) + content[end:] + LARGE_HOLE
    (tmp_path / "broken.pdf").write_bytes(content)

    (page,) = open_pdf(tmp_path / "broken.pdf").pages

    assert page.warning == "page 1 is damaged, and parts of it are lost; upload an intact copy"


def test_blanks_before_letters_take_no_time(tmp_path: Path) -> None:
    letters = base64.a85encode(zlib.compress(b"q Q")) + b"~>"
    began = time.process_time()

    (page,) = read(tmp_path, [stream(b" " * 100_000 + letters, BOTH)])

    assert time.process_time() - began < 5
    assert page.warning == ""


def test_digits_among_the_parts_of_a_page_take_no_time(tmp_path: Path) -> None:
    began = time.process_time()

    (page,) = read(tmp_path, [b"[5 0 R(%b)]" % (b"7" * 200_000), stream(PACKED[:8], FLATE)])

    assert time.process_time() - began < 5
    assert page.warning == WARNING


@pytest.mark.parametrize(
    ("picture", "is_lost"),
    [
        pytest.param(stream(GREY, SCAN + FLATE), False, id="whole"),
        pytest.param(stream(GREY[:-9], SCAN + FLATE), False, id="without its end"),
        pytest.param(stream(GREY[:8], SCAN + FLATE), True, id="cut off"),
        pytest.param(stream(overwritten(GREY), SCAN + FLATE), True, id="overwritten"),
        pytest.param(stream(GREY, SCAN + FLATE + ENDLESS_ROWS), True, id="endless rows"),
        pytest.param(stream(b"\xff\xd8" + bytes(99), SCAN + JPEG), True, id="no JPEG"),
        pytest.param(stream(b"80 0B", SCAN + b"/Filter/LZWDecode"), False, id="another filter"),
        pytest.param(stream(bytes(99), BITS + b"/Filter/JBIG2Decode"), True, id="no JBIG2"),
        pytest.param(stream(bytes(99), SCAN + b"/Filter/JPXDecode"), True, id="no JPEG 2000"),
        pytest.param(stream(b"", SCAN + FLATE), True, id="empty"),
        pytest.param(b"null", True, id="not in the file"),
    ],
)
def test_a_page_of_a_picture_that_cannot_be_seen_is_told(picture: bytes, is_lost: bool) -> None:
    with pypdfium2.PdfDocument(scanned(picture)) as document:
        assert is_damaged(document, 0) is is_lost


def test_a_picture_that_is_lost_within_a_form_is_told() -> None:
    lost = stream(bytes(99), SCAN + JPEG)
    drawing = stream(b"/Scan Do", b"/Subtype/Form/BBox[0 0 1 1]/Resources" + RESOURCES)

    with pypdfium2.PdfDocument(scanned(lost, drawing)) as document:
        assert is_damaged(document, 0)


def test_an_ornament_that_is_lost_harms_nothing() -> None:
    lost = stream(bytes(99), SCAN + JPEG)

    with pypdfium2.PdfDocument(scanned(lost, size=20)) as document:
        assert not is_damaged(document, 0)


def test_a_large_drawing_is_decoded_only_so_far() -> None:
    bomb = zlib.compress(bytes(100 << 20))[:-50]

    with pypdfium2.PdfDocument(drawn_by([stream(bomb, FLATE)])) as document:
        assert not is_damaged(document, 0)


def scanned(picture: bytes, form: bytes = b"", size: int = 300) -> bytes:
    """Return a PDF of a page that is a picture, if need be within a form."""
    drawn = b"%d 0 0 %d 0 0 cm /%s Do" % (size, size, b"Form" if form else b"Scan")
    objects = {3: PAGE % (b"/Resources" + RESOURCES), 4: stream(drawn), 5: picture}
    return pdf(objects | ({6: form} if form else {}))


def read(folder: Path, streams: Sequence[bytes]) -> list[Page]:
    path = folder / "page.pdf"
    path.write_bytes(drawn_by(streams))
    return list(open_pdf(path).pages)


def drawn_by(streams: Sequence[bytes]) -> bytes:
    """Return a PDF of a page that is drawn by these, which are its objects from the fourth on."""
    numbers = range(4, 4 + len(streams))
    is_list = streams[:1] and streams[0].startswith(b"[")
    named = b"4 0 R" if is_list else b"[%b]" % b" ".join(b"%d 0 R" % n for n in numbers)
    page = PAGE.replace(b"4 0 R", named) % FONT
    return pdf({3: page, **dict(zip(numbers, streams, strict=True))})
