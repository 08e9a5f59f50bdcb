"""The commands of `ke` that people use with a running service; the work is in `app/people`.

They reach it by HTTP, as everybody does. What they need is loaded when one of them runs, so that
`ke --help` and the completion of a shell do not wait for it.
"""

from pathlib import Path
from typing import Annotated, Literal

import typer

people = typer.Typer()

Engine = Annotated[
    str | None, typer.Option(help="Id or name of the engine. [the only one there is]")
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]


@people.command()
def ingest(
    paths: Annotated[list[Path], typer.Argument(help="Files, and folders with all in them.")],
    engine: Annotated[str, typer.Option(help="Id or name of the engine; made if not there.")],
    as_json: AsJson = False,
) -> None:
    """Upload files and folders, and wait until they are read."""
    from app.people.connection import connected
    from app.people.ingest import ingest as run

    with connected(_data_dir()) as client:
        run(client, paths, engine, as_json=as_json)


@people.command()
def ask(  # noqa: PLR0913  # The options of a command are its parameters.
    question: Annotated[str, typer.Argument(help="The question.")],
    engine: Engine = None,
    model: Annotated[str, typer.Option(help="The model that answers.")] = "auto",
    advanced: Annotated[bool, typer.Option("--advanced", help="Search in several rounds.")] = False,
    context: Annotated[
        str | None, typer.Option(help="The conversation to go on with: a ctx_… id.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask a question; the answer comes as it is written, with file and page of its sources."""
    from app.people.ask import ask as run
    from app.people.connection import connected
    from knowledge_engine.questions import QuestionOptions

    options = QuestionOptions(model=model, advanced_reasoning=advanced)
    if context is not None:
        options["context_id"] = context
    with connected(_data_dir()) as client:
        run(client, engine, question, options, as_json=as_json)


@people.command()
def search(
    query: Annotated[str, typer.Argument(help="What to search for.")],
    engine: Engine = None,
    top: Annotated[int, typer.Option(min=1, max=20, help="How many passages.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Show the passages that fit best, without an answer."""
    from app.people.connection import connected
    from app.people.search import search as run

    with connected(_data_dir()) as client:
        run(client, engine, query, top, as_json=as_json)


@people.command()
def extract(
    file: Annotated[str, typer.Argument(help="A file, or the id of a data source.")],
    fields: Annotated[Path, typer.Option(help="A YAML file that lists the fields.")],
    output: Annotated[
        Literal["table", "json", "csv"], typer.Option("--format", help="How to write them.")
    ] = "table",
    engine: Annotated[
        str, typer.Option(help="Id or name of the engine that the file goes to; made if not there.")
    ] = "Extracted files",
    as_json: AsJson = False,
) -> None:
    """Extract fields from a file, with how sure each value is; the least sure come first."""
    from app.people.connection import connected
    from app.people.extract import extract as run
    from app.people.extract import load_fields

    requested = load_fields(fields)
    with connected(_data_dir()) as client:
        run(client, file, requested, engine, "json" if as_json else output)


@people.command()
def status(as_json: AsJson = False) -> None:
    """Show whether the service lives, its engines and documents, its models and its workers."""
    from app.people.connection import connected
    from app.people.status import check_ready, read_status, show_status
    from config.model_table import load_model_table
    from config.settings import credential, load_settings
    from knowledge_engine.environment import find_base_url

    check_ready(find_base_url(None))
    models = load_model_table(load_settings().models_file, credential)
    with connected(_data_dir()) as client:
        show_status(read_status(client, models), as_json=as_json)


def _data_dir() -> Path:
    from config.settings import load_settings

    return load_settings().data_dir
