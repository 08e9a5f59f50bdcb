"""`ke ingest`: files and folders into an engine."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Self

from pydantic import BaseModel
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from app.people.connection import CommandFailed, find_or_create_engine
from app.people.writing import progress_console, say, say_json
from knowledge_engine import Client, DataSource, DuplicateFile, InvalidRequest, UploadTooLarge

LOOK_SECONDS = 0.5
LOOKED_AT = 20
"""So many of the documents that wait longest are looked at in one go; they are read in order."""

# What a folder may hold beside documents is passed over; of a file that was named it is a failure.
_PASSED_OVER = ("the format is not supported", "the file is empty")


class Fate(StrEnum):
    """What became of a file, or how far it is."""

    WAITING = "waiting"
    READ = "read"
    OK = "ok"
    PARTIAL = "partial"
    DUPLICATE = "duplicate"
    SKIPPED = "skipped"
    FAILED = "failed"


class Ingested(BaseModel):
    """A file, and what became of it."""

    file: str
    fate: Fate = Fate.WAITING
    message: str = ""
    data_source_id: str | None = None
    page_count: int = 0
    chunk_count: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """A file to upload: named itself, or found in a folder."""

    path: Path
    is_named: bool


@dataclass(slots=True)
class Tally:
    """How many files have come how far."""

    uploaded: int = 0
    read: int = 0
    done: int = 0


def ingest(client: Client, paths: Sequence[Path], engine: str, *, as_json: bool) -> None:
    """Upload files, wait until they are read, and say what became of each.

    Raises:
        CommandFailed: one of them failed.
    """
    files = list(find_files(paths))
    target = find_or_create_engine(client, engine)
    console = Console(quiet=True) if as_json else progress_console()
    with _Bars(console, len(files)) as bars:
        results = Ingestion(client, target.id, bars.show).run(files)
    if as_json:
        say_json({"engine": target, "files": results})
    else:
        for line in report(results):
            say(line)
    failed = sum(one.fate is Fate.FAILED for one in results)
    if failed:
        raise CommandFailed(f"{failed} of {len(results)} files failed.")


def find_files(paths: Sequence[Path]) -> Iterator[Found]:
    """Yield the files that are named, and those in the folders that are, hidden ones aside."""
    for path in paths:
        if not path.is_dir():
            yield Found(path, is_named=True)
            continue
        for inner in sorted(path.rglob("*")):
            is_hidden = any(part.startswith(".") for part in inner.relative_to(path).parts)
            if inner.is_file() and not is_hidden:
                yield Found(inner, is_named=False)


class Ingestion:
    """Files on their way into an engine."""

    def __init__(self, client: Client, engine_id: str, show: Callable[[Tally], None]) -> None:
        self._client = client
        self._engine_id = engine_id
        self._show = show
        self._tally = Tally()
        self._results: list[Ingested] = []
        self._waiting: dict[str, Ingested] = {}  # by the id of the data source
        self._looked_at = 0.0

    def run(self, files: Sequence[Found]) -> list[Ingested]:
        """Upload all files, and return what became of each once all are read."""
        for found in files:
            self._results.append(self._upload(found))
            self._tally.uploaded += 1
            if time.monotonic() - self._looked_at > LOOK_SECONDS:
                self._look()
        while self._waiting:
            self._look()
            time.sleep(LOOK_SECONDS if self._waiting else 0)
        self._show(self._tally)
        return self._results

    def _upload(self, found: Found) -> Ingested:
        result = Ingested(file=str(found.path))
        try:
            uploaded = self._client.data_sources.upload(found.path, self._engine_id, wait=False)
        except DuplicateFile:
            result.fate, result.message = Fate.DUPLICATE, "the engine has this file already"
        except (InvalidRequest, UploadTooLarge) as error:
            is_passed_over = not found.is_named and error.message.startswith(_PASSED_OVER)
            result.fate = Fate.SKIPPED if is_passed_over else Fate.FAILED
            result.message = error.message
        except OSError as error:
            result.fate = Fate.FAILED if found.is_named else Fate.SKIPPED
            result.message = error.strerror or str(error)
        else:
            result.data_source_id = uploaded.id
            self._waiting[uploaded.id] = result
            return result
        self._tally.read += 1
        self._tally.done += 1
        return result

    def _look(self) -> None:
        """See how far the documents are that have waited longest."""
        self._looked_at = time.monotonic()
        for data_source_id in list(self._waiting)[:LOOKED_AT]:
            self._note(self._client.data_sources.get(data_source_id))
        self._show(self._tally)

    def _note(self, data_source: DataSource) -> None:
        result = self._waiting[data_source.id]
        if result.fate is Fate.WAITING and data_source.stage in ("embedding", "done"):
            result.fate = Fate.READ
            self._tally.read += 1
        if data_source.is_processed:
            del self._waiting[data_source.id]
            result.fate = Fate(data_source.outcome or Fate.OK)
            result.message = data_source.error or ""
            result.page_count = data_source.page_count
            result.chunk_count = data_source.chunk_count
            self._tally.done += 1


def report(results: Sequence[Ingested]) -> list[str]:
    """Return a line for each file that is not simply there now, and one that counts all."""
    lines = [f"{one.fate}: {one.file}: {one.message}" for one in results if one.fate is not Fate.OK]
    counts = Counter(one.fate for one in results)
    parts = [f"{counts[fate]} {fate}" for fate in Fate if counts[fate]]
    return [*lines, f"{len(results)} files: {', '.join(parts)}" if parts else "There are no files."]


class _Bars:
    """A bar for each stage."""

    def __init__(self, console: Console, total: int) -> None:
        columns = (TextColumn("{task.description:<9}"), BarColumn(), MofNCompleteColumn())
        self._progress = Progress(*columns, console=console, disable=not console.is_terminal)
        self._tasks = [
            self._progress.add_task(name, total=total) for name in ("uploaded", "read", "embedded")
        ]

    def show(self, tally: Tally) -> None:
        """Set the bars."""
        counts = (tally.uploaded, tally.read, tally.done)
        for task, count in zip(self._tasks, counts, strict=True):
            self._progress.update(task, completed=count)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
