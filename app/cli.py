"""The `ke` command."""

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from app.backup_commands import backups
from app.engine_commands import engines
from app.loading import loading
from app.people_commands import AsJson, people
from app.scopes import Scope
from config.errors import BackupFailed, ServingFailed
from config.logs import configure_logs
from config.settings import InvalidSettings, Settings, load_settings, prepare_library_environment

app = typer.Typer(
    help="Knowledge Engine: questions answered over your documents, with file and page.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
keys = typer.Typer(help="Create, list and revoke API keys.", no_args_is_help=True)
app.add_typer(keys, name="keys")
app.add_typer(engines, name="engines")
app.add_typer(backups)
app.add_typer(people)

Host = Annotated[str | None, typer.Option(help="Address to listen at. [KE_HOST, 127.0.0.1]")]
Port = Annotated[int | None, typer.Option(help="Port to listen at. [KE_PORT, 8080]")]
DataDir = Annotated[
    Path | None, typer.Option(help="Where everything is kept. [KE_DATA_DIR, ./data]")
]
ApiOnly = Annotated[
    bool, typer.Option("--api-only", help="No worker, and a database that runs already.")
]


@app.command()
def serve(
    host: Host = None, port: Port = None, data_dir: DataDir = None, api_only: ApiOnly = False
) -> None:
    """Start the service: API, worker and, unless KE_DATABASE_URL names one, its PostgreSQL."""
    settings = _settings(host=host, port=port, data_dir=data_dir)
    with loading():
        from app.server import serve as run

    run(settings, _say, api_only=api_only)


@app.command()
def worker(data_dir: DataDir = None) -> None:
    """Read documents beside a running `ke serve`, on this machine or another."""
    settings = _settings(data_dir=data_dir)
    with loading():
        from app.database import migrate
        from app.key_commands import running_database
        from app.worker import run_worker, stop_on_signals

    database_url = running_database(settings)
    migrate(database_url)

    async def run() -> None:
        await run_worker(settings, database_url, stop_on_signals())

    asyncio.run(run())


@app.command()
def demo(data_dir: DataDir = None) -> None:
    """Show the whole round on a sample document: start, upload, ask, answer, cited page."""
    settings = _settings(data_dir=data_dir)
    from app.demo import run_demo

    run_demo(settings, _say)


@app.command()
def models(as_json: AsJson = False) -> None:
    """Check the routing file and show what stands behind each model identifier."""
    settings = _settings()
    from rich.console import Console

    from app.model_commands import describe_auto, describe_search, models_as_json, render_models
    from config.model_table import load_model_table
    from config.settings import credential

    table = load_model_table(settings.models_file, credential)
    if as_json:
        _say(models_as_json(table))
    else:
        Console().print(render_models(table))
        _say(describe_auto(table))
        for line in describe_search(table):
            _say(line)


@app.command()
def doctor(
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask each enabled model for a word; it is paid for.")
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Look at everything the service needs, running or not, and say what to do."""
    settings = _settings(data_dir=data_dir)
    from rich.console import Console

    from app.doctor.report import examine, findings_as_json, has_problem, render_findings

    findings = examine(settings, ask=ask)
    if as_json:
        _say(findings_as_json(findings))
    else:
        Console().print(render_findings(findings))
    raise typer.Exit(int(has_problem(findings)))


@engines.command()
def reembed(
    engine: Annotated[str | None, typer.Argument(help="The one engine, by its id.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All engines of all accounts.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Give chunks the vectors of the embedder that the routing file names now."""
    if every == (engine is not None):
        _stop("Name one engine, or say --all.", 2)
    from app.reembedding import reembed as run

    run(_settings(data_dir=data_dir), engine, _say)


@app.command("console-link")
def create_console_link(data_dir: DataDir = None, host: Host = None, port: Port = None) -> None:
    """Print an address that opens the console once, to set a (new) password."""
    from app.key_commands import create_sign_in_address

    _say(create_sign_in_address(_settings(data_dir=data_dir, host=host, port=port)))


@app.command()
def mcp(data_dir: DataDir = None) -> None:
    """Let an assistant use the engines: a server of the Model Context Protocol on stdio."""
    from app.people.mcp_server import serve as run

    run(_settings(data_dir=data_dir).data_dir)


@keys.command("create")
def create_key(
    name: Annotated[str, typer.Option(help="What the key is for.")],
    scope: Annotated[Scope, typer.Option(help="What it may do.")] = Scope.ADMIN,
    engine: Annotated[str | None, typer.Option(help="The one engine it is for, by its id.")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a key and print it, and nothing else; it cannot be shown again."""
    from app.key_commands import create_key as create

    key = create(_settings(data_dir=data_dir), name, scope, engine)
    _say(json.dumps({"name": name, "key": key}) if as_json else key)


@keys.command("list")
def list_keys(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List all keys: number, first characters, name, when made, if revoked, scope, engine."""
    from app.key_commands import describe_keys, keys_as_json

    settings = _settings(data_dir=data_dir)
    if as_json:
        _say(keys_as_json(settings))
        return
    for line in describe_keys(settings):
        _say(line)


@keys.command("revoke")
def revoke_key(
    key: Annotated[int, typer.Argument(help="The number that `ke keys list` shows.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Revoke a key at once."""
    from app.key_commands import revoke_key as revoke

    if not revoke(_settings(data_dir=data_dir), key):
        _stop(f"There is no live key with the number {key}.")
    _say(json.dumps({"id": key, "revoked": True}) if as_json else f"Key {key} is revoked.")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; what a user can put right ends in one line, not in a traceback.

    The arguments are those of this process unless others are given.
    """
    prepare_library_environment()
    try:
        app(arguments)
    except SystemExit:
        # The usual end; to look for the failures below would load what they belong to.
        raise
    except _failures_to_tell() as error:
        _stop(str(error), getattr(error, "exit_code", 1))


def _failures_to_tell() -> tuple[type[Exception], ...]:
    from app.data_dir_lock import DataDirInUse
    from app.embedded_postgres import DatabaseNotRunning
    from app.people.connection import CommandFailed
    from app.postgres_programs import DatabaseStartFailed
    from config.model_table import InvalidModelTable

    return (
        InvalidSettings,
        InvalidModelTable,
        DataDirInUse,
        DatabaseNotRunning,
        DatabaseStartFailed,
        ServingFailed,
        BackupFailed,
        CommandFailed,
    )


def _settings(**overrides: object) -> Settings:
    settings = load_settings(**overrides)
    configure_logs(settings.log_level, settings.log_format)
    return settings


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201  # The command's own output.


def _stop(message: str, exit_code: int = 1) -> None:
    print(message, file=sys.stderr)  # noqa: T201  # The command's own output.
    raise SystemExit(exit_code)


if __name__ == "__main__":
    main()
