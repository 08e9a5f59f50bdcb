"""Let a page be drawn by a process of its own, under the limits of a reader."""

import asyncio
import json
import logging
import struct
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress
from pathlib import Path
from typing import Any

from indexing.partition.formats import DocumentFormat
from indexing.partition.processes import page_renderer
from indexing.partition.processes.isolation import ReadLimits, cause_of_death
from indexing.partition.processes.page_renderer import (
    LINES,
    LONGEST_SIDE,
    PDF,
    PNG,
    RenderOrder,
    Verdict,
)
from indexing.partition.unreadable import DocumentUnreadable

MOST_BYTES = {PNG: 16 << 20, LINES: 16 << 20, PDF: 256 << 20}
"""Of what comes of a page: the picture fits even where nothing in it can be packed."""

_NONSENSE = "the process that draws it was led astray"

_logger = logging.getLogger(__name__)


async def render_page(
    path: Path, file_format: DocumentFormat, number: int, *, folder: Path, limits: ReadLimits
) -> bool:
    """Draw a page into the folder; return False where the document has no such page.

    What lies there afterwards stands in `page_renderer`. The process is killed when the caller is
    cancelled, and ends by itself when the caller dies.

    Raises:
        DocumentUnreadable: the page cannot be drawn, or not within the limits.
    """
    order = RenderOrder(
        *(str(path), file_format, number, str(folder)),
        *(limits.cpu_seconds, limits.memory_bytes),
    )
    match await _obeyed(order, limits):
        case [Verdict.DRAWN]:
            await asyncio.to_thread(_check_results, folder)
            return True
        case [Verdict.NO_SUCH_PAGE]:
            return False
        case [Verdict.FAILED, str(reason), str(trace)]:
            _logger.warning("A page cannot be drawn: %s\n%s", reason, trace)
            raise DocumentUnreadable(reason)
        case _:
            raise DocumentUnreadable(_NONSENSE)


async def _obeyed(order: RenderOrder, limits: ReadLimits) -> Any:
    """Return what the process tells in the end.

    Raises:
        DocumentUnreadable: it dies, takes too long, or says what has no sense.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        # A folder of the same name where the service was started must not be taken for ours.
        *("-P", "-m", page_renderer.__name__, order.to_json()),
        stdin=PIPE,  # Closes when we die.
        stdout=PIPE,
        stderr=DEVNULL,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(limits.wall_seconds):
            told = await process.stdout.readline()
            if not told:
                raise DocumentUnreadable(cause_of_death(await process.wait(), limits))
            return json.loads(told)
    except TimeoutError as error:
        raise DocumentUnreadable(f"took longer than {limits.wall_seconds:g} s") from error
    except ValueError as error:  # It is no JSON, or no line.
        raise DocumentUnreadable(_NONSENSE) from error
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _check_results(folder: Path) -> None:
    """Refuse what is too large to be handed on: the process may have been taken over.

    Raises:
        DocumentUnreadable: a file is too large, or the picture has too many pixels.
    """
    for name, most in MOST_BYTES.items():
        if (folder / name).exists() and (folder / name).stat().st_size > most:
            raise DocumentUnreadable(f"it comes to more than {most >> 20} MB")
    with (folder / PNG).open("rb") as png:
        sides = struct.unpack(">II", png.read(24)[16:])
    if max(sides) > LONGEST_SIDE:
        raise DocumentUnreadable(_NONSENSE)
