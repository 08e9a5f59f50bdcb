"""Searching: the passages that fit a query, with their scores."""

from quart import Blueprint, render_template, request

from app.access import find_knowledge_engine
from app.blueprints.knowledge_engines import with_counts
from app.blueprints.retrieval import MAX_TOP_K, find_chunks
from app.console import snippets
from app.console.forms import storable
from app.current import get_services
from app.models.data_source import select_data_sources
from app.models.page_of_rows import PageRequest
from app.request_body import validate
from app.schemas_retrieval import RetrieveRequest
from config.errors import InvalidRequest

DEFAULT_TOP_K = 5
CHOICES_OF_DOCUMENTS = 500
"""How many documents the filter offers, the newest ones."""

blueprint = Blueprint("search", __name__)


@blueprint.get("/engines/<engine_id>/search")
async def search(engine_id: str) -> str:
    """Show the form, and what a search has found."""
    query = request.args.get("query", "").strip()
    is_part = "HX-Request" in request.headers
    async with get_services().database.transaction() as session:
        row = await find_knowledge_engine(session, engine_id)
        engine = await with_counts(session, row)
        page = PageRequest(limit=CHOICES_OF_DOCUMENTS, newest_first=True)
        documents = [] if is_part else await select_data_sources(session, row.id, page)
    body = {"query": query or "notice period", "top_k": _top_k()}
    if data_source_id := request.args.get("data_source_id"):
        body["data_source_id"] = data_source_id
    found = None
    if query:
        found = await find_chunks(get_services(), row.id, validate(RetrieveRequest, storable(body)))
    return await render_template(
        "_found.html" if is_part else "search.html",
        engine=engine,
        documents=documents,
        body=body,
        query=query,
        found=found,
        most=MAX_TOP_K,
        snippet=snippets.retrieve(row.id, body),
    )


def _top_k() -> int:
    given = request.args.get("top_k", str(DEFAULT_TOP_K))
    if not given.isascii() or not given.isdigit() or not 1 <= int(given[:4]) <= MAX_TOP_K:
        raise InvalidRequest(f"The number of passages is a number from 1 to {MAX_TOP_K}.")
    return int(given)
