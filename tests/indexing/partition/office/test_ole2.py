from pathlib import Path

import pytest

from indexing.partition.office.ole2 import MAGIC, Ole2File, check_ole2, look_into
from tests.files.ole2_writer import ole2_file, ring_of_sectors, row_of_streams, storages_within

PLAIN_DOC = bytes.fromhex("eca5c1000f1709040000f812")
LOCKED_DOC = bytes.fromhex("eca5c100716009040000f013")
PLAIN_XLS = bytes.fromhex("090804000006050085000200000000000000")
LOCKED_XLS = bytes.fromhex("09080400000605002f000200000000000000")


@pytest.mark.parametrize(
    ("streams", "found"),
    [
        pytest.param({"WordDocument": PLAIN_DOC}, Ole2File("doc", False), id="doc"),
        pytest.param({"WordDocument": LOCKED_DOC}, Ole2File("doc", True), id="locked doc"),
        pytest.param({"PowerPoint Document": b"x"}, Ole2File("ppt", False), id="ppt"),
        pytest.param({"PP40": b"x"}, Ole2File("ppt", False), id="ppt of PowerPoint 4"),
        pytest.param(
            {"PowerPoint Document": b"x", "Current User": bytes(12) + b"\xdf\xc4\xd1\xf3"},
            Ole2File("ppt", True),
            id="locked ppt",
        ),
        pytest.param({"Workbook": PLAIN_XLS}, Ole2File("xls", False), id="xls"),
        pytest.param({"Book": LOCKED_XLS}, Ole2File("xls", True), id="locked xls"),
        pytest.param({"__properties_version1.0": b"x"}, Ole2File("msg", False), id="msg"),
        pytest.param({"EncryptedPackage": b"x"}, Ole2File("", True), id="locked docx"),
        pytest.param({"Contents": b"x"}, Ole2File("", False), id="something else"),
    ],
)
def test_the_streams_tell_the_format(
    streams: dict[str, bytes], found: Ole2File, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(ole2_file(streams))

    assert look_into(tmp_path / "file") == found


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(MAGIC + b"\0" * 200, id="cut off"),
        pytest.param(MAGIC + b"\0" * 9000, id="empty header"),
        pytest.param(ole2_file({"Book": b""})[:44] + b"\xff" * 9000, id="endless lists"),
        pytest.param(ole2_file({"Book": b"x"})[:1100], id="truncated"),
        pytest.param(ring_of_sectors("Book", 0xFFFFFFFF), id="endless stream"),
    ],
)
def test_a_damaged_container_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(content)

    with pytest.raises(OSError, match=r".+"):
        look_into(tmp_path / "file")
    assert check_ole2(tmp_path / "file") == "damaged"


@pytest.mark.parametrize("made", [row_of_streams(3000), storages_within(3000)])
def test_what_its_library_cannot_walk_through_is_no_damage(made: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(made)

    assert check_ole2(tmp_path / "file") == "other"


@pytest.mark.parametrize(
    ("stream", "word"),
    [("WordDocument", "doc"), ("EncryptedPackage", "locked"), ("Contents", "other")],
)
def test_a_word_says_what_the_file_holds(stream: str, word: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(ole2_file({stream: PLAIN_DOC}))

    assert check_ole2(tmp_path / "file") == word
