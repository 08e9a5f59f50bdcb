"""How the commands for people reach the service, and how they end when it says no."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path

from app.data_dir_lock import DataDirInUse, acquire
from knowledge_engine import (
    Client,
    ConnectionFailed,
    KnowledgeEngine,
    KnowledgeEngineError,
    MissingApiKey,
    Unauthorized,
)


class ExitCode(IntEnum):
    """How a command has ended; 2, wrong use, is typer's own."""

    FAILED = 1
    UNREACHABLE = 3
    UNAUTHORIZED = 4


class CommandFailed(Exception):
    """A command ends here; its message is for the person at the terminal."""

    def __init__(self, message: str, exit_code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(message)
        self.exit_code = exit_code


@contextmanager
def connected(data_dir: Path) -> Iterator[Client]:
    """Yield a client of the service that `KE_BASE_URL` names, with the key of `KE_API_KEY`.

    Raises:
        CommandFailed: there is no key, or something that was asked of the service failed.
    """
    try:
        with Client() as client:
            yield client
    except MissingApiKey as error:
        raise CommandFailed(how_to_get_a_key(data_dir), ExitCode.UNAUTHORIZED) from error
    except Unauthorized as error:
        message = "The service refuses the key in KE_API_KEY: it is not its own, or was revoked."
        raise CommandFailed(message, ExitCode.UNAUTHORIZED) from error
    except ConnectionFailed as error:
        message = f"The service cannot be reached ({error}). Is `ke serve` running? KE_BASE_URL"
        raise CommandFailed(f"{message} says where.", ExitCode.UNREACHABLE) from error
    except KnowledgeEngineError as error:
        raise CommandFailed(str(error)) from error


def how_to_get_a_key(data_dir: Path) -> str:
    """Say how to get a key: of the service on this machine, where one runs, or of another."""
    if not is_served(data_dir):
        return (
            "There is no API key in KE_API_KEY. Start a service with `ke serve`, which prints one, "
            "or set KE_BASE_URL and KE_API_KEY to those of a service elsewhere."
        )
    place = "" if data_dir == Path("data") else f" --data-dir {data_dir}"
    return (
        f"There is no API key in KE_API_KEY. A service runs on {data_dir}; make a key:\n\n"
        f"  export KE_API_KEY=$(ke keys create --name me{place})"
    )


def is_served(data_dir: Path) -> bool:
    """Tell whether a service runs on this data directory."""
    if not (data_dir / "ke.lock").exists():
        return False
    try:
        with acquire(data_dir):
            return False
    except DataDirInUse:
        return True
    except OSError:  # Another user's, so nothing that a key can be made of from here.
        return False


def find_engine(client: Client, wanted: str | None) -> KnowledgeEngine:
    """Return the engine of this id or name; without either, the only one there is.

    Raises:
        CommandFailed: there is none, or more than one.
    """
    engines = list(client.engines.list())
    found = [one for one in engines if wanted in (None, one.id, one.name)]
    if len(found) == 1:
        return found[0]
    if found and wanted is not None:
        ids = ", ".join(one.id for one in found)
        raise CommandFailed(f"{len(found)} engines have the name {wanted!r}: {ids}")
    names = ", ".join(sorted({one.name for one in engines})) or "none"
    if wanted is None:
        raise CommandFailed(f"Name the engine with --engine. There are: {names}")
    raise CommandFailed(f"There is no engine {wanted!r}. There are: {names}")


def find_or_create_engine(client: Client, wanted: str) -> KnowledgeEngine:
    """Return the engine of this id or name; if no engine has the name, make one that has.

    Raises:
        CommandFailed: more than one have it, or it is an id that none has.
    """
    is_id = wanted.startswith(("kng_", "ke_"))
    if is_id or any(one.name == wanted for one in client.engines.list()):
        return find_engine(client, wanted)
    return client.engines.create(wanted)
