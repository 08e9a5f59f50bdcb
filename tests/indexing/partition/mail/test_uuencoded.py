import binascii

import pytest

from indexing.partition.mail.uuencoded import Attached, text_and_files

CONTENT = b"LN-200: 61 lamps\nLN-300: 8 lamps\n" * 4


def encoded(content: bytes, name: str = "stock.txt") -> str:
    pieces = (content[at : at + 45] for at in range(0, len(content), 45))
    lines = "".join(binascii.b2a_uu(piece).decode() for piece in pieces)
    return f"begin 644 {name}\n{lines}`\nend\n"


def test_files_are_parted_from_the_text() -> None:
    text, files = text_and_files(f"Here it is.\n\n{encoded(CONTENT)}\nYours, Ann\n")

    assert text == "Here it is.\n\n\nYours, Ann"
    assert files == [Attached("stock.txt", CONTENT)]


def test_several_files_keep_their_order() -> None:
    _, files = text_and_files(encoded(b"one", "a.txt") + encoded(b"two", "b c.txt"))

    assert files == [Attached("a.txt", b"one"), Attached("b c.txt", b"two")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("We begin 644 lamps later.", id="words"),
        pytest.param("begin 644 lamps\nand never", id="no end"),
        pytest.param("begin 644 lamps\nin the spring\nend", id="other lines"),
        pytest.param(encoded(CONTENT).replace("\nend", "\nen"), id="cut"),
    ],
)
def test_text_that_only_looks_like_a_file_stays(text: str) -> None:
    assert text_and_files(text) == (text, [])


def test_beginnings_without_files_are_gone_through_once() -> None:
    text = "begin 644 a\n" * 200_000 + "end"

    assert text_and_files(text) == (text, [])
