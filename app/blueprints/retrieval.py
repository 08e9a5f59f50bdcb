"""Raw chunks for a query: no answer, no workflow."""

from collections.abc import Sequence

from quart import Blueprint, Response
from quart_schema import document_request, document_response, tag_blueprint
from sqlmodel.ext.asyncio.session import AsyncSession

from app.access import account_id, find_data_source, find_knowledge_engine
from app.models.data_source import select_data_source_ids
from app.request_body import parse_json
from app.responses import answered
from app.schemas import ChunkResponse, ErrorResponse, RetrievalResponse, RetrieveRequest
from app.services import Services, get_services
from config.errors import ReferenceNotFound

MAX_TOP_K = 20

blueprint = Blueprint("retrieval", __name__, url_prefix="/api/v1/knowledge-engines")
tag_blueprint(blueprint, ["Knowledge engines"])


@blueprint.post("/<engine_id>/retrieve")
@document_request(RetrieveRequest)
@document_response(RetrievalResponse)
@document_response(ErrorResponse, 400)
@document_response(ErrorResponse, 503)
async def retrieve(engine_id: str) -> Response:
    """Return the chunks that fit a query best; no answer is generated."""
    body = await parse_json(RetrieveRequest)
    services = get_services()
    async with services.searches.turn():
        response = await _retrieve(services, engine_id, body)
    return answered(response, exclude_none=True)


async def _retrieve(services: Services, engine_id: str, body: RetrieveRequest) -> RetrievalResponse:
    # It is asked for again below; until then the other things can be looked at.
    services.in_background(services.indexes.embed_ahead(body.query))
    async with services.database.reading() as session:
        engine = await find_knowledge_engine(session, engine_id)
        data_source_id = await _data_source_id(session, engine.id, body)
        eligible = await _eligible(session, engine.id, data_source_id, body)
    top_k = min(body.top_k, MAX_TOP_K)
    chunks = await services.indexes.retrieve(engine.id, body.query, top_k, eligible)
    return RetrievalResponse(
        query=body.query,
        knowledge_engine_id=engine.id,
        data_source_id=data_source_id,
        chunks=[ChunkResponse.from_chunk(chunk) for chunk in chunks],
        total_chunks=len(chunks),
    )


async def _data_source_id(
    session: AsyncSession, engine_id: str, body: RetrieveRequest
) -> str | None:
    """Return the data source that the request names, in its canonical form."""
    if body.data_source_id is None:
        return None
    data_source = await find_data_source(session, body.data_source_id, in_body=True)
    if data_source.knowledge_engine_id != engine_id:
        raise ReferenceNotFound("data source")
    return data_source.id


async def _eligible(
    session: AsyncSession, engine_id: str, data_source_id: str | None, body: RetrieveRequest
) -> Sequence[str] | None:
    """Return the data sources that may be searched, or None where all may."""
    if body.filter:
        return await select_data_source_ids(
            session, account_id(), engine_id, body.filter, data_source_id
        )
    return None if data_source_id is None else [data_source_id]
