"""`ke engines`: where the vectors of an engine live."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from config.errors import ServingFailed
from config.settings import Settings, VectorStoreName, load_settings

if TYPE_CHECKING:
    from app.services import Services

engines = typer.Typer(help="Choose where the vectors of an engine live.", no_args_is_help=True)


@engines.command()
def move(
    engine_id: Annotated[str, typer.Argument(help="The engine, by its id.")],
    to: Annotated[VectorStoreName, typer.Option(help="Where its vectors are to live.")],
    data_dir: Annotated[
        Path | None, typer.Option(help="Where everything is kept. [KE_DATA_DIR, ./data]")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON.")] = False,
) -> None:
    """Move the vectors of an engine to another store, while it answers; go on where one ended."""
    from rich.console import Console

    from app.database import migrate
    from app.key_commands import running_database
    from config.logs import configure_logs

    settings = load_settings(data_dir=data_dir)
    configure_logs(settings.log_level, settings.log_format)
    database_url = running_database(settings)
    migrate(database_url)
    with Console(stderr=True).status("Copying vectors") as status:

        def tell(copied: int) -> None:
            status.update(f"{copied:,} vectors copied")

        copied = asyncio.run(move_engine(settings, database_url, engine_id, to, tell))
    said = {"id": engine_id, "vector_store": to, "copied": copied}
    line = f"The vectors of {engine_id} live in {to}; {copied:,} were copied."
    typer.echo(json.dumps(said) if as_json else line)


async def move_engine(
    settings: Settings,
    database_url: str,
    given_id: str,
    to: VectorStoreName,
    tell: Callable[[int], None],
) -> int:
    """Move an engine and return how many vectors were copied; `tell` is told as they are.

    Raises:
        ServingFailed: there is no such engine, it is moved elsewhere, or Milvus does not answer.
    """
    from app.services import open_services

    services = await asyncio.to_thread(open_services, settings, database_url)
    try:
        return await move_vectors(services, given_id, to, tell)
    finally:
        await services.close()


async def move_vectors(
    services: "Services", given_id: str, to: VectorStoreName, tell: Callable[[int], None]
) -> int:
    """Do what `move_engine` says."""
    from app import ids
    from app.milvus import discard_vectors
    from config.errors import InvalidId
    from indexing.milvus import MilvusAway
    from indexing.placement import MoveEndedEarly

    copied = 0

    def count(more: int) -> None:
        nonlocal copied
        copied += more
        tell(copied)

    try:
        engine_id = ids.parse_id(ids.KNOWLEDGE_ENGINE, given_id)
        await _note_begin(services, engine_id, to)
        await services.indexes.move(engine_id, to, count)
        await discard_vectors(services, engine_id)
    except MoveEndedEarly as error:
        raise ServingFailed(str(error)) from error
    except InvalidId as error:
        raise ServingFailed(error.message) from error
    except MilvusAway as error:
        raise ServingFailed(
            f"Milvus does not answer, or refuses; the same command goes on behind what is "
            f"copied ({copied:,} vectors by this one). The log has more."
        ) from error
    return copied


async def _note_begin(services: "Services", engine_id: str, to: VectorStoreName) -> None:
    """Note who moves it before the first vector is elsewhere, for this may die at any moment."""
    from app.audit import record_command
    from app.models.audit_entry import Action

    moves = {
        VectorStoreName.MILVUS: Action.ENGINE_MOVE_TO_MILVUS_BEGUN,
        VectorStoreName.POSTGRES: Action.ENGINE_MOVE_TO_POSTGRES_BEGUN,
    }
    async with services.database.transaction() as session:
        await record_command(session, moves[to], engine_id)
