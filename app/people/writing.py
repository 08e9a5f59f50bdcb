"""What the commands for people write: texts without hidden orders to the terminal, and JSON."""

import json
import re
from collections.abc import Sequence
from typing import Any

import typer
from pydantic import BaseModel
from rich.console import Console

# Names, documents and answers are of others: no order of theirs may reach a terminal.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return the text without control characters, line ends and tabs aside."""
    return _CONTROLS.sub("", text)


def say(text: str, *, newline: bool = True) -> None:
    """Write to the standard output, at once."""
    typer.echo(printable(text), nl=newline)


def note(text: str) -> None:
    """Write what is not the result to the standard error."""
    typer.echo(printable(text), err=True)


def say_json(value: BaseModel | Sequence[BaseModel] | dict[str, Any]) -> None:
    """Write a JSON document to the standard output."""
    typer.echo(json.dumps(_plain(value), indent=2, ensure_ascii=False))


def place(file_name: str, page_number: int) -> str:
    """Name a page of a file; a page number below 1 is that of a file without pages."""
    return f"{file_name}, page {page_number}" if page_number > 0 else file_name


def progress_console() -> Console:
    """Return the console that progress is shown on: the standard error, if it is a terminal."""
    return Console(stderr=True)


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
