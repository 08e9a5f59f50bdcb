"""Finding what a request names, within its own account, and within the engine that its key is for.

What belongs to another account or engine answers exactly as what does not exist.
"""

from sqlmodel.ext.asyncio.session import AsyncSession

from app import ids
from app.current import current_account, current_key
from app.models.data_source import DataSource, select_data_source
from app.models.deletion_receipt import DeletionReceipt, select_receipt
from app.models.knowledge_engine import KnowledgeEngine, select_knowledge_engine
from app.models.tool_run import ToolRun, select_tool_run
from app.models.workflow import Workflow, select_workflow
from app.services import Services
from config.errors import NotFound, ReferenceNotFound


def account_id() -> int:
    """Return the number of the account that calls."""
    number = current_account().id
    assert number is not None
    return number


def is_open(engine_id: str) -> bool:
    """Tell whether the key of this request is for this engine, or for all of its account."""
    return _engine_of_key() in (None, engine_id)


def engine_to_list(asked_for: str | None = None) -> str | None:
    """Return which engine a list shows the things of, for an id in its canonical form or none.

    That is the one asked for, else the one that the key is for, else None, for all of the account.
    Where these are two, it is an id that no engine has.
    """
    own = _engine_of_key()
    if own is None or asked_for is None:
        return asked_for or own
    return own if asked_for == own else ""


async def find_knowledge_engine(
    session: AsyncSession, given_id: str, *, in_body: bool = False, for_update: bool = False
) -> KnowledgeEngine:
    """Return the engine; with `for_update` it stays as it is until the transaction ends.

    Raises:
        InvalidId: the id is not of an engine's form.
        NotFound, ReferenceNotFound: there is none, for an id in the path or in a body.
    """
    engine_id = ids.parse_id(ids.KNOWLEDGE_ENGINE, given_id)
    engine = await select_knowledge_engine(session, account_id(), engine_id, for_update=for_update)
    if engine is None or not is_open(engine.id):
        raise _missing(ids.KNOWLEDGE_ENGINE, in_body)
    return engine


async def find_engine_id(services: Services, given_id: str) -> str:
    """Return the id of an engine in its canonical form, looked up the first time only.

    One that is known may have been deleted since: what is done with it fails then, and has to be
    looked into by `find_knowledge_engine`, which raises what this raises.
    """
    engine_id = ids.parse_id(ids.KNOWLEDGE_ENGINE, given_id)
    # The owner is the account, so whether the key may see it is asked each time.
    if not is_open(engine_id) or not services.engine_owners.know(account_id(), engine_id):
        async with services.database.reading() as session:
            await find_knowledge_engine(session, engine_id)
        services.engine_owners.remember(account_id(), engine_id)
    return engine_id


async def find_data_source(
    session: AsyncSession, given_id: str, *, in_body: bool = False, for_update: bool = False
) -> DataSource:
    """Return the data source; all else is as in `find_knowledge_engine`."""
    data_source_id = ids.parse_id(ids.DATA_SOURCE, given_id)
    data_source = await select_data_source(
        session, account_id(), data_source_id, for_update=for_update
    )
    if data_source is None or not is_open(data_source.knowledge_engine_id):
        raise _missing(ids.DATA_SOURCE, in_body)
    return data_source


async def find_workflow(
    session: AsyncSession, given_id: str, *, for_update: bool = False
) -> Workflow:
    """Return the workflow; all else is as in `find_knowledge_engine`."""
    workflow_id = ids.parse_id(ids.WORKFLOW, given_id)
    workflow = await select_workflow(session, account_id(), workflow_id, for_update=for_update)
    if workflow is None or not is_open(workflow.knowledge_engine_id):
        raise _missing(ids.WORKFLOW, in_body=False)
    return workflow


async def find_tool_run(
    session: AsyncSession, given_id: str, *, for_update: bool = False
) -> ToolRun:
    """Return the tool run; all else is as in `find_knowledge_engine`."""
    run_id = ids.parse_id(ids.TOOL_RUN, given_id)
    run = await select_tool_run(session, account_id(), run_id, for_update=for_update)
    if run is None or not is_open(run.knowledge_engine_id):
        raise _missing(ids.TOOL_RUN, in_body=False)
    return run


async def find_receipt(session: AsyncSession, given_id: str) -> DeletionReceipt:
    """Return the receipt of a deletion; raises as `find_knowledge_engine` does."""
    receipt_id = ids.parse_id(ids.DELETION_RECEIPT, given_id)
    receipt = await select_receipt(session, account_id(), receipt_id)
    if receipt is None or not is_open(receipt.knowledge_engine_id):
        raise _missing(ids.DELETION_RECEIPT, in_body=False)
    return receipt


def _engine_of_key() -> str | None:
    api_key = current_key()
    return api_key.knowledge_engine_id if api_key else None


def _missing(kind: ids.IdKind, in_body: bool) -> NotFound | ReferenceNotFound:
    return ReferenceNotFound(kind.noun) if in_body else NotFound(kind.noun)
