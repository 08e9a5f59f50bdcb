"""The `ke` command."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

import typer

from config.errors import ServingFailed
from config.logs import configure_logs
from config.model_table import InvalidModelTable, load_model_table
from config.settings import (
    InvalidSettings,
    Settings,
    credential,
    load_settings,
    prepare_library_environment,
)

app = typer.Typer(
    help="Knowledge Engine: questions answered over your documents, with file and page.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
keys = typer.Typer(help="Create, list and revoke API keys.", no_args_is_help=True)
app.add_typer(keys, name="keys")

Host = Annotated[str | None, typer.Option(help="Address to listen at. [KE_HOST, 127.0.0.1]")]
Port = Annotated[int | None, typer.Option(help="Port to listen at. [KE_PORT, 8080]")]
DataDir = Annotated[
    Path | None, typer.Option(help="Where everything is kept. [KE_DATA_DIR, ./data]")
]


@app.command()
def serve(host: Host = None, port: Port = None, data_dir: DataDir = None) -> None:
    """Start the service: API, worker and, unless KE_DATABASE_URL names one, its PostgreSQL."""
    settings = _settings(host=host, port=port, data_dir=data_dir)
    from app.server import serve as run

    run(settings, _say)


@app.command()
def worker(data_dir: DataDir = None) -> None:
    """Read documents beside a running `ke serve`, on this machine or another."""
    settings = _settings(data_dir=data_dir)
    from app.key_commands import running_database
    from app.worker import run_worker, stop_on_signals

    async def run() -> None:
        await run_worker(settings, running_database(settings), stop_on_signals())

    asyncio.run(run())


@app.command()
def demo(data_dir: DataDir = None) -> None:
    """Show the whole round on a sample document: start, upload, ask, answer, cited page."""
    settings = _settings(data_dir=data_dir)
    from app.demo import run_demo

    run_demo(settings, _say)


@app.command()
def models(
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, with more detail.")] = False,
) -> None:
    """Check the routing file and show what stands behind each model identifier."""
    settings = _settings()
    from rich.console import Console

    from app.model_commands import describe_auto, models_as_json, render_models

    table = load_model_table(settings.models_file, credential)
    if as_json:
        _say(models_as_json(table))
    else:
        Console().print(render_models(table))
        _say(describe_auto(table))


@keys.command("create")
def create_key(
    name: Annotated[str, typer.Option(help="What the key is for.")], data_dir: DataDir = None
) -> None:
    """Make a key and print it, and nothing else; it cannot be shown again."""
    from app.key_commands import create_key as create

    _say(create(_settings(data_dir=data_dir), name))


@keys.command("list")
def list_keys(data_dir: DataDir = None) -> None:
    """List all keys: number, first characters, name, when made, when revoked."""
    from app.key_commands import describe_keys

    for line in describe_keys(_settings(data_dir=data_dir)):
        _say(line)


@keys.command("revoke")
def revoke_key(
    key: Annotated[int, typer.Argument(help="The number that `ke keys list` shows.")],
    data_dir: DataDir = None,
) -> None:
    """Revoke a key at once."""
    from app.key_commands import revoke_key as revoke

    if not revoke(_settings(data_dir=data_dir), key):
        _stop(f"There is no live key with the number {key}.")
    _say(f"Key {key} is revoked.")


def main() -> None:
    """Run a command; what a user can put right ends in one line, not in a traceback."""
    prepare_library_environment()
    from app.data_dir_lock import DataDirInUse
    from app.embedded_postgres import DatabaseNotRunning
    from app.postgres_programs import DatabaseStartFailed

    try:
        app()
    except (
        InvalidSettings,
        InvalidModelTable,
        DataDirInUse,
        DatabaseNotRunning,
        DatabaseStartFailed,
        ServingFailed,
    ) as error:
        _stop(str(error))


def _settings(**overrides: object) -> Settings:
    settings = load_settings(**overrides)
    configure_logs(settings.log_level)
    return settings


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201  # The command's own output.


def _stop(message: str) -> None:
    print(message, file=sys.stderr)  # noqa: T201  # The command's own output.
    raise SystemExit(1)


if __name__ == "__main__":
    main()
