"""Pages of knowledge engines: the list, a new one, its settings, and deleting it."""

from quart import Blueprint, Response, render_template, request, url_for

from app.access import account_id, find_knowledge_engine
from app.blueprints.knowledge_engines import change_engine, store_engine, to_response, with_counts
from app.console import snippets
from app.console.forms import parse_name, parse_notes, storable
from app.current import get_services
from app.deleting import delete_engine_with_everything
from app.models.knowledge_engine import (
    EngineCounts,
    select_engine_counts,
    select_knowledge_engines,
)
from app.models.page_of_rows import PageRequest
from app.models.workflow import select_workflow_count
from app.request_body import validate
from app.schemas import (
    NAME_LENGTH,
    KnowledgeEngineRequest,
    KnowledgeEngineResponse,
    KnowledgeEngineUpdate,
)

blueprint = Blueprint("engines", __name__)


@blueprint.get("/")
async def list_engines() -> str:
    """Show all engines of the account."""
    engines = await _engines()
    snippet = snippets.list_engines() if engines else snippets.create_engine("Leases")
    return await render_template("engines.html", engines=engines, snippet=snippet)


@blueprint.get("/engines")
async def refresh_engines() -> str:
    """Return the list anew, while something in it still changes."""
    return await render_template("_engines.html", engines=await _engines())


@blueprint.post("/engines")
async def create_engine() -> Response:
    """Make an engine, and go there."""
    form = await request.form
    name = parse_name(form.get("name", ""), NAME_LENGTH)
    description = form.get("description", "").strip()
    body = validate(KnowledgeEngineRequest, storable({"name": name, "description": description}))
    engine = await store_engine(get_services(), body)
    return _go_to(url_for("console.documents.list_documents", engine_id=engine.id))


@blueprint.get("/engines/<engine_id>/settings")
async def show_settings(engine_id: str) -> str:
    """Show what can be changed, and what would go with the engine."""
    async with get_services().database.transaction() as session:
        row = await find_knowledge_engine(session, engine_id)
        engine = await with_counts(session, row)
        workflows = await select_workflow_count(session, row.id)
    snippet = snippets.update_engine(engine.id, {"name": engine.name})
    return await render_template(
        "engine_settings.html", engine=engine, workflows=workflows, snippet=snippet
    )


@blueprint.post("/engines/<engine_id>/settings")
async def update_engine(engine_id: str) -> str:
    """Change an engine."""
    form = await request.form
    changes = {
        "name": parse_name(form.get("name", ""), NAME_LENGTH),
        "description": form.get("description", "").strip(),
        "notes": parse_notes(form.get("notes", "")),
    }
    body = validate(KnowledgeEngineUpdate, storable(changes))
    async with get_services().database.transaction() as session:
        engine = await find_knowledge_engine(session, engine_id, for_update=True)
        await change_engine(session, engine, body)
    snippet = snippets.update_engine(engine.id, changes)
    return await render_template("_saved.html", message="Saved.", snippet=snippet)


@blueprint.delete("/engines/<engine_id>")
async def delete_engine(engine_id: str) -> Response:
    """Delete an engine with all that it holds."""
    await delete_engine_with_everything(get_services(), engine_id)
    return _go_to(url_for("console.engines.list_engines"))


async def _engines() -> list[KnowledgeEngineResponse]:
    async with get_services().database.reading() as session:
        rows = await select_knowledge_engines(session, account_id(), PageRequest())
        counts = await select_engine_counts(session, [row.id for row in rows])
    return [to_response(row, counts.get(row.id, EngineCounts())) for row in rows]


def _go_to(address: str) -> Response:
    """Have the page's script load another page."""
    return Response(status=204, headers={"HX-Redirect": address})
