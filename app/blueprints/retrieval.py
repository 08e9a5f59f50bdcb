"""Raw chunks for a query: no answer, no workflow."""

from quart import Blueprint, Response
from quart_schema import document_request, document_response, tag_blueprint

from app.access import find_data_source, find_knowledge_engine
from app.request_body import parse_json
from app.responses import answered
from app.schemas import ChunkResponse, ErrorResponse, RetrievalResponse, RetrieveRequest
from app.services import get_services
from config.errors import ReferenceNotFound

MAX_TOP_K = 20

blueprint = Blueprint("retrieval", __name__, url_prefix="/api/v1/knowledge-engines")
tag_blueprint(blueprint, ["Knowledge engines"])


@blueprint.post("/<engine_id>/retrieve")
@document_request(RetrieveRequest)
@document_response(RetrievalResponse)
@document_response(ErrorResponse, 400)
async def retrieve(engine_id: str) -> Response:
    """Return the chunks that fit a query best; no answer is generated."""
    body = await parse_json(RetrieveRequest)
    services = get_services()
    data_source_id = None
    async with services.database.transaction() as session:
        engine = await find_knowledge_engine(session, engine_id)
        if body.data_source_id is not None:
            data_source = await find_data_source(session, body.data_source_id, in_body=True)
            if data_source.knowledge_engine_id != engine.id:
                raise ReferenceNotFound("data source")
            data_source_id = data_source.id
    top_k = min(body.top_k, MAX_TOP_K)
    chunks = await services.indexes.retrieve(engine.id, body.query, top_k, data_source_id)
    response = RetrievalResponse(
        query=body.query,
        knowledge_engine_id=engine.id,
        data_source_id=data_source_id,
        chunks=[ChunkResponse.from_chunk(chunk) for chunk in chunks],
        total_chunks=len(chunks),
    )
    return answered(response, exclude_none=True)
