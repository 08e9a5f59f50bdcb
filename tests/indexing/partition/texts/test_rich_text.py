from pathlib import Path

import pytest

from indexing.partition.texts.rich_text import decompress, open_rtf, page_in_rtf, rtf_blocks
from indexing.types import NO_PAGE, Block, BlockKind

FILES = Path(__file__).parents[3] / "files"


def test_paragraphs_and_tables_are_read() -> None:
    document = open_rtf(FILES / "letter.rtf")
    (page,) = document.pages

    assert document.title == "Letter to the Landlord"
    assert page.number == NO_PAGE
    assert page.blocks == (
        Block(BlockKind.TEXT, "The roof above bay 4 leaks, as we wrote in März."),
        Block(BlockKind.TABLE, "4 | 11", header="Bay | Buckets"),
        Block(BlockKind.TEXT, "Please send a roofer."),
    )


def test_pictures_cost_no_time() -> None:
    picture = rb"{\pict\pngblip " + b"89504e47" * 500_000 + b"}"

    (block,) = rtf_blocks(rb"{\rtf1 before " + picture + rb"behind\par}")

    assert block.text == "before behind"


@pytest.mark.parametrize(
    ("rtf", "lines"),
    [
        pytest.param(
            rb"{\object\objemb{\*\objdata 0105}{\result {\pard Sum: 4711\par}}}",
            ["Sum: 4711"],
            id="for an object",
        ),
        pytest.param(
            rb'{\field{\*\fldinst{HYPERLINK "http://a.example"}}{\fldrslt{Our offers}}}\par',
            ["Our offers"],
            id="of a link",
        ),
        pytest.param(
            rb"{\v never}Seen \{\v never\v0\}{\v never\plain, too}\par {\deleted gone}left\vern0",
            ["Seen {}, too", "left"],
            id="beside what is hidden",
        ),
        pytest.param(
            rb"before {\pict\bin9 }}}{{\v\zz}behind", ["before behind"], id="beside bytes"
        ),
        pytest.param(
            rb"before {\pict\bin ffd8}{\v\zz}behind", ["before behind"], id="beside no bytes"
        ),
        pytest.param(
            rb"\trowd\cellx9\intbl Nut\cell 99\cell {\pard\f0 Thank you\par}",
            ["Nut | 99", "Thank you"],
            id="below a row that does not end",
        ),
        pytest.param(
            rb"\trowd\cellx9\intbl Nut\cell\pard\f0 \intbl 99\cell\pard\trowd\cellx9\row",
            ["Nut | 99"],
            id="in a row with properties at its end",
        ),
    ],
)
def test_a_text_is_read_as_it_is_shown(rtf: bytes, lines: list[str]) -> None:
    assert [block.text for block in rtf_blocks(rb"{\rtf1 " + rtf + b"}")] == lines


@pytest.mark.parametrize(
    ("packed", "text"),
    [
        # The examples of [MS-OXRTFCP], sections 3.1.1 and 3.1.2.
        pytest.param(
            "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c"
            "090020627705b06c647d0a800fa0",
            rb"{\rtf1\ansi\ansicpg1252\pard hello world}" b"\r\n",
            id="words",
        ),
        pytest.param(
            "1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0",
            rb"{\rtf1 WXYZWXYZWXYZWXYZWXYZ}",
            id="a reference into itself",
        ),
        pytest.param("0e000000020000004d454c4100000000" + b"hi".hex(), b"hi", id="not packed"),
    ],
)
def test_outlooks_packing_is_undone(packed: str, text: bytes) -> None:
    assert decompress(bytes.fromhex(packed)) == text


def test_a_packed_text_that_is_cut_off_is_refused() -> None:
    with pytest.raises(ValueError, match="cut off"):
        decompress(b"short")


def test_a_page_that_outlook_wrapped_is_unwrapped() -> None:
    rtf = (
        rb"{\rtf1\ansi\fromhtml1 {\fonttbl{\f0 Arial;}}\f0 {\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 "
        rb"f\'fcnf{\*\htmltag116 <br>}\htmlrtf \line \htmlrtf0 Kisten\htmlrtf \par}\htmlrtf0 "
        rb"{\*\htmltag72 </p>}}"
    )
    not_packed = len(rtf).to_bytes(4, "little") * 2 + b"MELA\0\0\0\0"

    assert page_in_rtf(not_packed + rtf) == "<p>fünf<br>Kisten</p>"


def test_text_that_is_no_page_is_not_unwrapped() -> None:
    assert page_in_rtf(b"\0" * 8 + b"MELA\0\0\0\0" + rb"{\rtf1 hello}") == ""
