"""Files that want to do harm: each comes to a definite end, and harms nobody."""

import logging
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from config.errors import UnreadableFile
from indexing.partition.blocks import page_text
from indexing.partition.formats import DocumentFormat, check_readable
from indexing.partition.processes.isolation import ReadLimits, read_isolated
from indexing.partition.reader import open_document
from indexing.partition.tables import is_number
from indexing.partition.text import clean_text, document_title
from indexing.partition.texts.rich_text import rtf_blocks
from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import Block, Page
from tests.files.make_hostile import Hostile, hostile_files, linked_docx
from tests.libreoffice import needs_libreoffice

LIMITS = ReadLimits(wall_seconds=120, cpu_seconds=60, memory_bytes=2**30)
MOST_MEMORY = 100 * 2**20


@pytest.mark.parametrize(
    "hostile", [pytest.param(hostile, id=hostile.name) for hostile in hostile_files()]
)
async def test_it_ends_as_it_should_and_the_service_stays_small(
    hostile: Hostile, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    path = tmp_path / Path(hostile.name).name
    path.write_bytes(hostile.make())
    memory = psutil.Process().memory_info().rss

    ends, text = await end_of(path)

    assert ends == hostile.ends, text[:300]
    assert hostile.says in text
    assert "root:x:0" not in text
    assert psutil.Process().memory_info().rss - memory < MOST_MEMORY


def rtf_text(text: str) -> list[Block]:
    return list(rtf_blocks(text.encode()))


@pytest.mark.parametrize(
    ("work", "text"),
    [
        pytest.param(page_text, "a" * 300_000 + " \x02 b", id="a long word"),
        pytest.param(page_text, "ab\x02cd " * 300_000, id="broken words"),
        pytest.param(page_text, "a-" * 300_000 + "\x02b", id="hyphens"),
        pytest.param(is_number, "1" + "." * 300_000 + "a", id="a number"),
        pytest.param(clean_text, "\t " * 300_000, id="spaces"),
        pytest.param(document_title, "a/" * 300_000, id="a title"),
        pytest.param(rtf_text, ("a" * 250 + "x") * 10_000, id="digits of pictures"),
    ],
)
def test_long_texts_are_gone_through_once(work: Callable[[str], object], text: str) -> None:
    began = time.process_time()

    assert work(text) is not None

    # With care this takes less than a second, without it minutes to hours.
    assert time.process_time() - began < 60


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("linked.docx", linked_docx, id="docx"),
        pytest.param("linked.html", lambda at: LINKING_PAGE.format(at).encode(), id="html"),
        pytest.param("linked.md", lambda at: f"![lamp]({at}) The lamp.".encode(), id="md"),
        pytest.param(
            "linked.rtf",
            lambda at: LINKING_RTF.replace("ADDRESS", at).encode(),
            id="rtf",
            marks=needs_libreoffice,
        ),
    ],
)
def test_nothing_is_fetched(
    name: str, content: Callable[[str], bytes], tmp_path: Path, port: socket.socket
) -> None:
    address = f"http://127.0.0.1:{port.getsockname()[1]}/lamp.png"
    (tmp_path / name).write_bytes(content(address))

    # Read in this process, which may open sockets as it likes.
    pages = list(open_document(tmp_path / name, DocumentFormat(name.partition(".")[2])).pages)

    assert pages
    with pytest.raises(BlockingIOError):
        port.accept()


LINKING_PAGE = """
<html><head><meta http-equiv="refresh" content="0; url={0}"><base href="{0}">
<link rel="stylesheet" href="{0}"></head><body background="{0}"><img src="{0}" alt="A lamp">
<iframe src="{0}"></iframe><object data="{0}"></object><p>The lamp.</p></body></html>
"""

LINKING_RTF = r"""{\rtf1 The lamp. {\field{\*\fldinst INCLUDEPICTURE "ADDRESS" \\d}{\fldrslt x}}
{\field{\*\fldinst INCLUDETEXT "ADDRESS"}{\fldrslt y}}{\*\template ADDRESS}\par}
"""


@pytest.fixture
def port() -> Iterator[socket.socket]:
    """A port of this machine that notes who comes."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        server.setblocking(False)
        yield server


async def end_of(path: Path) -> tuple[str, str]:
    """Return how the file ends, as the service would say it, with its reasons and its text."""
    try:
        file_format = check_readable(path, path.name)
        items = [item async for item in read_isolated(path, file_format, LIMITS)]
    except UnreadableFile as error:
        return "refused", error.message
    except DocumentUnreadable as error:
        return "failed", str(error)
    pages = [item for item in items if isinstance(item, Page)]
    problems = "; ".join(page.warning for page in pages if page.warning)
    text = "\n".join(f"{block.header}\n{block.text}" for page in pages for block in page.blocks)
    if not text:
        return "failed", problems or "no text"
    return ("partial", f"{problems}\n{text}") if problems else ("read", text)
