"""Pages of the documents of an engine: upload, progress, how each page was read, deleting."""

from quart import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers.response import Response as WerkzeugResponse

from app.access import find_data_source, find_knowledge_engine
from app.blueprints import page_images
from app.blueprints.data_source_batch import delete_each
from app.blueprints.files import presign
from app.blueprints.knowledge_engines import with_counts
from app.console import snippets
from app.console.forms import parse_name, parse_notes, storable
from app.current import get_services
from app.deleting import delete_with_everything
from app.models.data_source import DataSource, DataSourceStatus, select_data_sources
from app.models.data_source_page import select_ledger, select_page_counts
from app.models.page_of_rows import PageRequest
from app.responses import created
from app.schemas_data_sources import DataSourceResponse
from app.uploading import parse_upload, store_upload
from config.errors import InvalidRequest

PAGE_SIZE = 100
_LONGEST_TICKET_NAME = 200

blueprint = Blueprint("documents", __name__)


@blueprint.get("/engines/<engine_id>")
async def list_documents(engine_id: str) -> str:
    """Show the documents of an engine, newest first."""
    return await _documents("documents.html", engine_id)


@blueprint.get("/engines/<engine_id>/documents")
async def refresh_documents(engine_id: str) -> str:
    """Return the list anew; while a document is being read, it asks again by itself."""
    return await _documents("_documents.html", engine_id)


@blueprint.post("/engines/<engine_id>/documents")
async def upload_document(engine_id: str) -> Response:
    """Take one file of those that were dropped or chosen."""
    file = (await request.files).get("file")
    if file is None or not file.filename:
        raise InvalidRequest("Choose a file.")
    fields = {"name": file.filename, "type": "file", "knowledge_engine_id": engine_id}
    upload = parse_upload(storable(fields), file.stream, file.filename)
    data_source = await store_upload(get_services(), upload)
    address = url_for("console.documents.show_document", data_source_id=data_source.id)
    return created(DataSourceResponse.from_data_source(data_source), address)


@blueprint.post("/engines/<engine_id>/tickets")
async def create_ticket(engine_id: str) -> str:
    """Take a ticket, as text."""
    form = await request.form
    name = parse_name(form.get("name", ""), _LONGEST_TICKET_NAME)
    content = form.get("content", "")
    fields = {
        "name": name,
        "type": "ticket",
        "knowledge_engine_id": engine_id,
        "content": content,
        "notes": parse_notes(form.get("notes", "")),
    }
    await store_upload(get_services(), parse_upload(storable(fields), None, None))
    snippet = snippets.create_ticket(engine_id, name, content)
    return await _documents("_documents.html", engine_id, snippet=snippet)


@blueprint.post("/engines/<engine_id>/documents/delete")
async def delete_documents(engine_id: str) -> str:
    """Delete the documents that are ticked."""
    chosen = (await request.form).getlist("id")
    if not chosen:
        raise InvalidRequest("Tick the documents to delete.")
    items = await delete_each(get_services(), chosen)
    if failures := [item.error for item in items if item.error]:
        raise InvalidRequest(f"{len(failures)} could not be deleted: {failures[0]}")
    return await _documents("_documents.html", engine_id)


@blueprint.get("/documents/<data_source_id>")
async def show_document(data_source_id: str) -> str:
    """Show a document, and how each of its pages was read."""
    return await _document("document.html", data_source_id)


@blueprint.get("/documents/<data_source_id>/progress")
async def refresh_document(data_source_id: str) -> str:
    """Return what changes while a document is being read."""
    return await _document("_document.html", data_source_id)


@blueprint.get("/documents/<data_source_id>/pages/<int:number>")
async def show_page(data_source_id: str, number: int) -> str:
    """Show one page as a picture, with the words marked that the address names."""
    async with get_services().database.reading() as session:
        document = await find_data_source(session, data_source_id)
    return await render_template(
        "page.html",
        document=document,
        number=number,
        marked=request.args.get("highlight", ""),
        snippet=snippets.get_page(document.id, number),
    )


@blueprint.get("/documents/<data_source_id>/pages/<number>.png")
async def draw_page(data_source_id: str, number: str) -> Response:
    """Return the picture of a page, exactly as the API does."""
    return await page_images.get_page_image(data_source_id, number)


@blueprint.get("/documents/<data_source_id>/file")
async def open_file(data_source_id: str) -> WerkzeugResponse:
    """Lead to the original file."""
    return redirect(await presign(get_services(), data_source_id))


@blueprint.delete("/documents/<data_source_id>")
async def delete_document(data_source_id: str) -> Response:
    """Delete a document with all that was read from it."""
    services = get_services()
    async with services.database.reading() as session:
        data_source = await find_data_source(session, data_source_id)
    await delete_with_everything(services, data_source_id)
    engine_id = data_source.knowledge_engine_id
    address = url_for("console.documents.list_documents", engine_id=engine_id)
    return Response(status=204, headers={"HX-Redirect": address})


async def _documents(
    template: str, engine_id: str, *, snippet: snippets.Snippet | None = None
) -> str:
    after = request.args.get("after")
    page = PageRequest(limit=PAGE_SIZE, after=after, newest_first=True)
    async with get_services().database.transaction() as session:
        row = await find_knowledge_engine(session, engine_id)
        engine = await with_counts(session, row)
        documents = await select_data_sources(session, row.id, page)
        waiting = [one.id for one in documents if is_waiting(one)]
        pages_read = await select_page_counts(session, waiting)
    return await render_template(
        template,
        engine=engine,
        documents=documents,
        is_waiting=bool(waiting),
        pages_read=pages_read,
        after=after,
        next_after=documents[-1].id if len(documents) == PAGE_SIZE else None,
        snippet=snippet or snippets.upload(row.id, "report.pdf"),
    )


async def _document(template: str, data_source_id: str) -> str:
    async with get_services().database.transaction() as session:
        document = await find_data_source(session, data_source_id)
        engine = await find_knowledge_engine(session, document.knowledge_engine_id)
        pages = await select_ledger(session, document.id)
    return await render_template(
        template,
        document=document,
        engine=engine,
        pages=pages,
        is_waiting=is_waiting(document),
        snippet=snippets.get_data_source(document.id),
    )


def is_waiting(document: DataSource) -> bool:
    """Tell whether the reading of a document still goes on."""
    return document.status == DataSourceStatus.PROCESSING
