"""`ke backup` and `ke restore`; the work is in `app/backup.py` and `app/restoring.py`."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from config.errors import BackupFailed

if TYPE_CHECKING:
    from rich.progress import Progress

    from app.backup_file import Manifest
    from config.settings import Settings

backups = typer.Typer()

DataDir = Annotated[
    Path | None, typer.Option(help="Where everything is kept. [KE_DATA_DIR, ./data]")
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]


@backups.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not be there yet.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Write database and files, as they are at this moment, to one file."""
    import asyncio

    from app.backup import back_up, database_as_it_is

    settings = _settings(data_dir)
    with _failures_told(), _progress() as progress, database_as_it_is(settings) as url:
        manifest = asyncio.run(back_up(settings, url, file, progress))
    _say_what_it_holds("Backed up", file, manifest, as_json=as_json)


@backups.command()
def restore(
    file: Annotated[Path, typer.Argument(help="What `ke backup` has written.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Bring the service of a backup to life, in an empty place; then start it as usual."""
    from app.restoring import restore as run

    settings = _settings(data_dir)
    with _failures_told(), _progress() as progress:
        manifest = run(settings, file, progress)
    _say_what_it_holds("Restored", file, manifest, as_json=as_json)


def _settings(data_dir: Path | None) -> "Settings":
    from config.logs import configure_logs
    from config.settings import load_settings

    settings = load_settings(data_dir=data_dir)
    configure_logs(settings.log_level)
    return settings


@contextmanager
def _progress() -> Iterator["Progress"]:
    """Show how far it is on the standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        yield progress


@contextmanager
def _failures_told() -> Iterator[None]:
    """Say in one line what was away, or full."""
    from sqlalchemy.exc import DBAPIError

    from config.errors import FileStoreAway

    try:
        yield
    except DBAPIError as error:
        raise BackupFailed(f"The database cannot be used: {error.orig}") from error
    except FileStoreAway as error:
        raise BackupFailed(f"Not done: {error.message}.") from error
    except OSError as error:
        raise BackupFailed(f"Not done: {error}") from error


def _say_what_it_holds(done: str, file: Path, manifest: "Manifest", *, as_json: bool) -> None:
    said: dict[str, Any] = {
        "file": str(file),
        **manifest.model_dump(mode="json", exclude={"files", "missing", "database"}),
        "files": len(manifest.files),
        "size_bytes": manifest.total_bytes,
        "deleted_meanwhile": manifest.missing,
    }
    if as_json:
        typer.echo(json.dumps(said, indent=2))
        return
    rows = ", ".join(f"{count} {table}" for table, count in manifest.counts.items())
    typer.echo(
        f"{done} {file}, of {manifest.created_at:%Y-%m-%d %H:%M:%S} UTC: {rows}; "
        f"{len(manifest.files)} files, {manifest.total_bytes:,} bytes."
    )
    if manifest.missing:
        typer.echo(f"Left out, for they were deleted meanwhile: {', '.join(manifest.missing)}")
