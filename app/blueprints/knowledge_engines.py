"""Knowledge engines: create, list, read, change and delete them, and list what they hold."""

from quart import Blueprint, Response
from quart_schema import (
    document_querystring,
    document_request,
    document_response,
    tag_blueprint,
)
from sqlmodel.ext.asyncio.session import AsyncSession

from app import ids
from app.access import account_id, engine_to_list, find_knowledge_engine
from app.audit import record
from app.blueprints.deletion_receipts import deleted, wants_receipt
from app.current import get_services
from app.deleting import delete_engine_with_everything
from app.idempotency import KeyedRequest, id_for, idempotent
from app.models.audit_entry import Action
from app.models.data_source import select_data_sources
from app.models.knowledge_engine import (
    EngineCounts,
    KnowledgeEngine,
    insert_knowledge_engine,
    select_engine_counts,
    select_knowledge_engines,
)
from app.request_body import parse_json, parse_page
from app.responses import answered, created, listed
from app.schemas import (
    Deleted,
    DeletionParameters,
    ErrorResponse,
    KnowledgeEngineRequest,
    KnowledgeEngineResponse,
    KnowledgeEngineUpdate,
    ListParameters,
)
from app.schemas_data_sources import DataSourceResponse
from app.services import Services
from app.tenancy import as_owner

blueprint = Blueprint("knowledge_engines", __name__, url_prefix="/api/v1/knowledge-engines")
tag_blueprint(blueprint, ["Knowledge engines"])


async def _create_again(keyed: KeyedRequest) -> Response:
    body = await parse_json(KnowledgeEngineRequest)
    async with keyed.services.database.reading() as session:
        engine = await find_knowledge_engine(session, keyed.id_of(ids.KNOWLEDGE_ENGINE))
    # As it was created; it may have been changed since.
    return _created(engine.model_copy(update=body.model_dump()))


@blueprint.post("")
@document_request(KnowledgeEngineRequest)
@document_response(KnowledgeEngineResponse, 201)
@document_response(ErrorResponse, 400)
@idempotent(_create_again)
async def create_knowledge_engine() -> Response:
    """Create a knowledge engine."""
    return _created(await store_engine(get_services(), await parse_json(KnowledgeEngineRequest)))


@blueprint.get("")
@document_querystring(ListParameters)
@document_response(list[KnowledgeEngineResponse])
async def list_knowledge_engines() -> Response:
    """List the knowledge engines that the key may see, oldest first."""
    page = parse_page()
    async with get_services().database.transaction() as session:
        engines = await select_knowledge_engines(
            session, account_id(), page, engine_id=engine_to_list()
        )
        counts = await select_engine_counts(session, [engine.id for engine in engines])
    items = [to_response(engine, counts.get(engine.id, EngineCounts())) for engine in engines]
    return listed(items, [engine.id for engine in engines], page)


@blueprint.get("/<engine_id>")
@document_response(KnowledgeEngineResponse)
@document_response(ErrorResponse, 404)
async def get_knowledge_engine(engine_id: str) -> Response:
    """Return a knowledge engine."""
    async with get_services().database.transaction() as session:
        engine = await find_knowledge_engine(session, engine_id)
        return answered(await with_counts(session, engine))


@blueprint.put("/<engine_id>")
@document_request(KnowledgeEngineUpdate)
@document_response(KnowledgeEngineResponse)
@document_response(ErrorResponse, 404)
async def update_knowledge_engine(engine_id: str) -> Response:
    """Change a knowledge engine; what is left out stays as it is, `notes` are replaced whole."""
    body = await parse_json(KnowledgeEngineUpdate)
    async with get_services().database.transaction() as session:
        engine = await find_knowledge_engine(session, engine_id, for_update=True)
        await change_engine(session, engine, body)
        return answered(await with_counts(session, engine))


@blueprint.delete("/<engine_id>")
@document_querystring(DeletionParameters)
@document_response(Deleted)
@document_response(ErrorResponse, 404)
async def delete_engine(engine_id: str) -> Response:
    """Delete a knowledge engine with its data sources and workflows.

    With `?receipt=true`, answer and keep a signed receipt.
    """
    wanted = wants_receipt()
    return deleted(
        await delete_engine_with_everything(get_services(), engine_id, with_receipt=wanted)
    )


@blueprint.get("/<engine_id>/data-sources")
@document_querystring(ListParameters)
@document_response(list[DataSourceResponse])
@document_response(ErrorResponse, 404)
async def list_data_sources(engine_id: str) -> Response:
    """List the data sources of a knowledge engine, oldest first."""
    page = parse_page()
    async with get_services().database.transaction() as session:
        engine = await find_knowledge_engine(session, engine_id)
        data_sources = await select_data_sources(session, engine.id, page)
    items = [DataSourceResponse.from_data_source(one) for one in data_sources]
    return listed(items, [one.id for one in data_sources], page)


async def store_engine(services: Services, body: KnowledgeEngineRequest) -> KnowledgeEngine:
    """Make an engine of the account, with its empty index."""
    engine = KnowledgeEngine(
        id=id_for(ids.KNOWLEDGE_ENGINE),
        account_id=account_id(),
        vector_store=services.settings.vector_store,
        **body.model_dump(),
    )
    async with services.database.transaction() as session:
        await insert_knowledge_engine(session, engine)
        await record(session, Action.ENGINE_CREATED, engine.id)
        await services.indexes.create(await as_owner(session), engine.id, engine.vector_store)
    return engine


async def change_engine(
    session: AsyncSession, engine: KnowledgeEngine, body: KnowledgeEngineUpdate
) -> None:
    """Take over what a request says; what it leaves out stays. The engine must be locked."""
    for name, value in body.model_dump(exclude_unset=True).items():
        setattr(engine, name, value)
    await record(session, Action.ENGINE_CHANGED, engine.id)


def to_response(engine: KnowledgeEngine, counts: EngineCounts) -> KnowledgeEngineResponse:
    """Return the engine as clients see it."""
    ready_when = get_services().settings.engine_ready_when
    return KnowledgeEngineResponse.from_engine(engine, counts, ready_when)


def _created(engine: KnowledgeEngine) -> Response:
    response = to_response(engine, EngineCounts())
    return created(response, f"{blueprint.url_prefix}/{engine.id}")


async def with_counts(session: AsyncSession, engine: KnowledgeEngine) -> KnowledgeEngineResponse:
    """Return the engine as clients see it, as it is now."""
    counts = await select_engine_counts(session, [engine.id])
    return to_response(engine, counts.get(engine.id, EngineCounts()))
