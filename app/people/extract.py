"""`ke extract`: fields out of a file, those to check first on top."""

import csv
import io
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.people.connection import CommandFailed, find_or_create_engine
from app.people.writing import place, printable, progress_console, say, say_json
from knowledge_engine import (
    Client,
    DataSource,
    DuplicateFile,
    ExtractedField,
    FieldType,
    RequestedField,
    ToolRun,
)

Format = Literal["table", "json", "csv"]

CHECK_BELOW = 0.8
"""A value that is less sure than this is marked."""


class FieldEntry(BaseModel):
    """An entry of `fields.yaml`."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1)
    description: str = ""
    type: FieldType = FieldType.TEXT
    options: list[str | int | float | bool] | None = None

    def requested(self) -> RequestedField:
        """Return the field as the service takes it; without a description, its name is one."""
        return RequestedField(
            field_name=self.name,
            description=self.description or self.name.replace("_", " "),
            type=self.type,
            options=self.options,
        )


def extract(
    client: Client, file: str, fields: list[RequestedField], engine: str, output: Format
) -> None:
    """Upload the file, unless the engine has it, run the extraction and write the values."""
    console = progress_console()
    with console.status("Reading …"):
        data_source = find_or_upload(client, file, engine)
    with console.status("Extracting …"):
        engine_id = data_source.knowledge_engine_id
        run = client.tool_runs.create(engine_id, fields, [data_source], async_response=True)
        run = client.tool_runs.wait(run.id)
    match output:
        case "json":
            say_json(run)
        case "csv":
            say(as_csv(run), newline=False)
        case "table":
            Console().print(as_table(run))


def load_fields(path: Path) -> list[RequestedField]:
    """Read `fields.yaml`: a list of entries, each with `name`, `description`, `type`, `options`.

    Raises:
        CommandFailed: the file cannot be read, or an entry is wrong; the message says which.
    """
    try:
        entries = TypeAdapter(list[FieldEntry]).validate_python(yaml.safe_load(path.read_text()))
    except OSError as error:
        raise CommandFailed(f"{path}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise CommandFailed(f"{path}: {' '.join(str(error).split())}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CommandFailed(f"{path}: {where + ': ' if where else ''}{first['msg']}") from error
    if not entries:
        raise CommandFailed(f"{path}: there are no fields in it")
    return [entry.requested() for entry in entries]


def find_or_upload(client: Client, file: str, engine: str) -> DataSource:
    """Return the data source of this id, or the one that holds this file, read.

    Raises:
        CommandFailed: there is no such file, or it is not clear which data source holds it.
    """
    if file.startswith(("ds_", "dsc_")) and not Path(file).exists():
        return client.data_sources.wait(file)
    engine_id = find_or_create_engine(client, engine).id
    try:
        return client.data_sources.upload(file, engine_id)
    except DuplicateFile:
        return client.data_sources.wait(_same_file(client, Path(file), engine_id).id)
    except OSError as error:
        raise CommandFailed(f"{file}: {error.strerror}") from error


def as_table(run: ToolRun) -> Table:
    """Return a table of the values, the least sure first and those to check marked."""
    table = Table(caption=f"! check these: less sure than {CHECK_BELOW:.0%}")
    for heading in ("", "Field", "Value", "Sure", "Where"):
        table.add_column(heading, overflow="fold", justify="right" if heading == "Sure" else "left")
    for name, field in least_sure_first(run):
        sure = field.confidence or 0.0
        cells = ("!" if sure < CHECK_BELOW else "", name, as_text(field), f"{sure:.0%}")
        # As Text, for in a value of a document brackets are no markup.
        table.add_row(*(Text(printable(cell)) for cell in (*cells, where(field))))
    return table


def as_csv(run: ToolRun) -> str:
    """Return the values as CSV, in the same order."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(["field", "value", "type", "confidence", "where", "evidence"])
    for name, field in least_sure_first(run):
        evidence = field.evidence[0].text if field.evidence else ""
        row = [name, as_text(field), field.type, field.confidence, where(field), evidence]
        writer.writerow(row)
    return written.getvalue()


def least_sure_first(run: ToolRun) -> list[tuple[str, ExtractedField]]:
    """Return the fields in the order in which to check them."""
    fields = run.result.extracted_fields if run.result else {}
    return sorted(fields.items(), key=lambda item: item[1].confidence or 0.0)


def as_text(field: ExtractedField) -> str:
    """Write a value; several with semicolons, none as nothing."""
    if field.value is None:
        return ""
    values = field.value if isinstance(field.value, list) else [field.value]
    return "; ".join(str(value) for value in values)


def where(field: ExtractedField) -> str:
    """Name the file and the page that the value stands on."""
    if not field.evidence:
        return "" if field.value is None else "nowhere"
    return place(field.evidence[0].file_name, field.evidence[0].page_number)


def _same_file(client: Client, file: Path, engine_id: str) -> DataSource:
    """Return the data source that holds the same bytes, which one does."""
    size = file.stat().st_size
    same_size = [
        one
        for one in client.engines.data_sources(engine_id)
        if one.size_bytes == size and one.outcome != "failed"
    ]
    same_name = [one for one in same_size if one.file_name == file.name]
    for candidates in (same_size, same_name):
        if len(candidates) == 1:
            return candidates[0]
    ids = ", ".join(one.id for one in same_size) or "none"
    raise CommandFailed(f"{file}: it is in the engine already; name its data source, of {ids}")
