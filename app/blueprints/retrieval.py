"""Raw chunks for a query: no answer, no workflow."""

from collections.abc import Sequence
from dataclasses import dataclass

from quart import Blueprint, Response
from quart_schema import document_request, document_response, tag_blueprint
from sqlmodel.ext.asyncio.session import AsyncSession

from app.access import account_id, find_data_source, find_engine_id, find_knowledge_engine
from app.current import get_services
from app.idempotency import KeyedRequest, idempotent, keyed_request
from app.models.data_source import select_data_source_ids
from app.models.knowledge_engine import hold_engine
from app.models.tool_run import hold_data_sources
from app.request_body import parse_json
from app.responses import answered, json_response
from app.schemas import ErrorResponse
from app.schemas_retrieval import ChunkResponse, RetrievalResponse, RetrieveRequest
from app.searching import search
from app.services import Services
from config.errors import ReferenceNotFound, RetrievalFailed

MAX_TOP_K = 20

blueprint = Blueprint("retrieval", __name__, url_prefix="/api/v1/knowledge-engines")
tag_blueprint(blueprint, ["Knowledge engines"])


async def _retrieve_again(keyed: KeyedRequest, engine_id: str) -> Response | None:
    async with keyed.services.database.reading() as session:
        await find_knowledge_engine(session, engine_id)
    return None if keyed.row.answer is None else json_response(keyed.row.answer)


@blueprint.post("/<engine_id>/retrieve")
@document_request(RetrieveRequest)
@document_response(RetrievalResponse)
@document_response(ErrorResponse, 400)
@document_response(ErrorResponse, 503)
@idempotent(_retrieve_again)
async def retrieve(engine_id: str) -> Response:
    """Return the chunks that fit a query best; no answer is generated."""
    body = await parse_json(RetrieveRequest)
    found = await find_chunks(get_services(), engine_id, body)
    if (keyed := keyed_request()) is not None:
        await _keep(keyed, found)
    return answered(found, exclude_none=True)


async def find_chunks(
    services: Services, given_id: str, body: RetrieveRequest
) -> RetrievalResponse:
    """Return the chunks that fit best.

    Raises:
        Unavailable: too many searches wait already.
        InvalidId, NotFound, ReferenceNotFound: the engine or the data source is none of these.
        RetrievalFailed: the index cannot be searched.
    """
    async with services.searches.turn():
        return await _retrieve(services, given_id, body)


async def _keep(keyed: KeyedRequest, found: RetrievalResponse) -> None:
    """Keep what was found, unless some of it was deleted meanwhile: then it is searched again."""
    source_ids = {chunk.data_source_id for chunk in found.chunks}
    async with keyed.services.database.transaction() as session:
        # In the order in which a deletion of the engine comes to them.
        await hold_engine(session, found.knowledge_engine_id)
        held = await hold_data_sources(session, account_id(), sorted(source_ids))
        if held.keys() == source_ids:
            answer = found.model_dump_json(exclude_none=True).encode()
            await keyed.answered(session, answer, found.knowledge_engine_id)
            return
    await keyed.forget()


async def _retrieve(services: Services, given_id: str, body: RetrieveRequest) -> RetrievalResponse:
    # It is asked for again below; until then the other things can be looked at.
    services.indexes.embed_ahead(body.query)
    scope = await _scope(services, given_id, body)
    top_k = min(body.top_k, MAX_TOP_K)
    try:
        chunks = await search(services, scope.engine_id, body.query, top_k, scope.data_source_ids)
    except RetrievalFailed:
        async with services.database.reading() as session:
            await find_knowledge_engine(session, given_id)  # It may just have been deleted.
        raise
    return RetrievalResponse(
        query=body.query,
        knowledge_engine_id=scope.engine_id,
        data_source_id=scope.data_source_id,
        chunks=[ChunkResponse.from_chunk(chunk) for chunk in chunks],
        total_chunks=len(chunks),
    )


@dataclass(frozen=True, slots=True)
class _Scope:
    """What a request may search."""

    engine_id: str
    data_source_id: str | None = None  # the one it names
    data_source_ids: Sequence[str] | None = None  # all it may search; None: those of the engine


async def _scope(services: Services, given_id: str, body: RetrieveRequest) -> _Scope:
    if body.data_source_id is None and not body.filter:
        return _Scope(await find_engine_id(services, given_id))
    async with services.database.reading() as session:
        engine = await find_knowledge_engine(session, given_id)
        data_source_id = await _data_source_id(session, engine.id, body)
        eligible = await _eligible(session, engine.id, data_source_id, body)
    return _Scope(engine.id, data_source_id, eligible)


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
