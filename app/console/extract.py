"""Extracting: choose fields and documents, run, review the least sure values first, download."""

import csv
import io
from typing import Any

from quart import Blueprint, Response, render_template, request, url_for

from app.access import account_id, find_knowledge_engine, find_tool_run
from app.audit import record
from app.blueprints.knowledge_engines import with_counts
from app.console import snippets
from app.console.extract_form import NEW_FIELD, parse_correction, parse_tool
from app.current import get_services
from app.models.audit_entry import Action
from app.models.data_source import Outcome, select_data_sources, select_data_sources_of
from app.models.page_of_rows import PageRequest
from app.models.tool_run import ToolRun, delete_tool_run, select_tool_runs, update_value
from app.request_body import validate
from app.schemas_tool_runs import ToolRunRequest, ToolRunResponse, requested_fields
from app.starting_runs import store_tool_run
from config.errors import InvalidRequest
from extraction.types import FieldType

SHOWN_RUNS = 20
SHOWN_DOCUMENTS = 500

blueprint = Blueprint("extract", __name__)


@blueprint.get("/engines/<engine_id>/extract")
async def build_extraction(engine_id: str) -> str:
    """Show the form, empty or with the fields of an earlier run, and the latest runs."""
    earlier = request.args.get("like")
    async with get_services().database.transaction() as session:
        row = await find_knowledge_engine(session, engine_id)
        engine = await with_counts(session, row)
        newest = PageRequest(limit=SHOWN_DOCUMENTS, newest_first=True)
        documents = await select_data_sources(session, row.id, newest)
        newest = PageRequest(limit=SHOWN_RUNS, newest_first=True)
        runs = await select_tool_runs(session, account_id(), newest, engine_id=row.id)
        like = await find_tool_run(session, earlier) if earlier else None
    fields = like.tool["fields"] if like else [NEW_FIELD]
    return await render_template(
        "extract.html",
        engine=engine,
        documents=[one for one in documents if one.outcome in (Outcome.OK, Outcome.PARTIAL)],
        runs=runs,
        fields=fields,
        new_field=NEW_FIELD,
        types=list(FieldType),
        snippet=snippets.extract(row.id, fields, [one.id for one in documents[:1]]),
    )


@blueprint.post("/engines/<engine_id>/extract")
async def start_extraction(engine_id: str) -> Response:
    """Begin a run, and go to where its values appear."""
    tool = parse_tool(await request.form, engine_id)
    body = validate(ToolRunRequest, {"tool": tool, "async_response": True})
    run = await store_tool_run(get_services(), body)
    address = url_for("console.extract.show_extraction", run_id=run.id)
    return Response(status=204, headers={"HX-Redirect": address})


@blueprint.get("/extractions/<run_id>")
async def show_extraction(run_id: str) -> str:
    """Show a run and its values, the least sure first."""
    return await _extraction("extraction.html", run_id)


@blueprint.get("/extractions/<run_id>/values")
async def refresh_extraction(run_id: str) -> str:
    """Return what is there so far; until the run is over it asks again by itself."""
    return await _extraction("_extraction.html", run_id)


@blueprint.post("/extractions/<run_id>/values/<int:position>")
async def correct_value(run_id: str, position: int) -> str:
    """Put a person's value in place of what was found."""
    typed = (await request.form).get("value", "").strip()
    async with get_services().database.transaction() as session:
        run = await find_tool_run(session, run_id, for_update=True)
        fields = dict(enumerate(requested_fields(run.tool)))
        field = fields.get(position)
        finished = {one["field_name"] for one in run.extracted_fields}
        if not run.is_over or field is None or field.name not in finished:
            raise InvalidRequest("There is no value to correct yet.")
        await update_value(session, run, field.name, parse_correction(typed, field))
        await record(session, Action.TOOL_RUN_CORRECTED, run.id)
    return await _extraction("_extraction.html", run_id)


@blueprint.delete("/extractions/<run_id>")
async def delete_extraction(run_id: str) -> Response:
    """Delete a run with its values."""
    async with get_services().database.transaction() as session:
        run = await find_tool_run(session, run_id)
        await delete_tool_run(session, run)
        await record(session, Action.TOOL_RUN_DELETED, run.id)
    address = url_for("console.extract.build_extraction", engine_id=run.knowledge_engine_id)
    return Response(status=204, headers={"HX-Redirect": address})


@blueprint.get("/extractions/<run_id>.json")
async def download_json(run_id: str) -> Response:
    """Send the run as the API returns it, as a file."""
    async with get_services().database.reading() as session:
        run = await find_tool_run(session, run_id)
    body = ToolRunResponse.from_tool_run(run).model_dump_json(indent=2)
    return _download(body, run, "json", "application/json")


@blueprint.get("/extractions/<run_id>.csv")
async def download_csv(run_id: str) -> Response:
    """Send the values as a table, as a file."""
    async with get_services().database.reading() as session:
        run = await find_tool_run(session, run_id)
    result = ToolRunResponse.from_tool_run(run).result
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(["field", "type", "value", "confidence", "file", "page", "passage"])
    for name, field in result.extracted_fields.items():
        place = field.evidence[0] if field.evidence else None
        where = [place.file_name, place.page_number, place.text] if place else ["", "", ""]
        value = "; ".join(map(str, field.value)) if isinstance(field.value, list) else field.value
        row = [name, field.type, value, field.confidence, *where]
        writer.writerow([_harmless(cell) for cell in row])
    return _download(table.getvalue(), run, "csv", "text/csv; charset=utf-8")


def _harmless(cell: Any) -> Any:
    """Keep a spreadsheet from computing a text of a document as a formula."""
    is_formula = isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{cell}" if is_formula else cell


def _download(body: str, run: ToolRun, extension: str, content_type: str) -> Response:
    disposition = f'attachment; filename="{run.id}.{extension}"'
    return Response(body, content_type=content_type, headers={"Content-Disposition": disposition})


async def _extraction(template: str, run_id: str) -> str:
    async with get_services().database.reading() as session:
        run = await find_tool_run(session, run_id)
        engine = await find_knowledge_engine(session, run.knowledge_engine_id)
        sources = [one["id"] for one in run.tool["tagged_data_sources"]]
        documents = await select_data_sources_of(session, account_id(), sources)
    response = ToolRunResponse.from_tool_run(run)
    names = [one["field_name"] for one in run.tool["fields"]]
    order = response.result.metadata.review_order or list(response.result.extracted_fields)
    return await render_template(
        template,
        run=run,
        engine=engine,
        documents=documents,
        result=response.result,
        order=order,
        waiting=[name for name in names if name not in response.result.extracted_fields],
        positions={name: position for position, name in enumerate(names)},
        snippet=snippets.extract(engine.id, run.tool["fields"], sources),
    )
