from collections.abc import Awaitable, Callable

import pytest
from quart import Quart, g

from app.deleting import delete_engine_with_everything, delete_with_everything
from app.models.account import Account
from app.services import Services
from config.errors import InvalidId, NotFound, ServiceError
from tests.client import Client
from tests.conftest import FILES

Delete = Callable[[Services, str], Awaitable[str]]


async def test_canonical_id_is_returned(app: Quart, client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    data_source = await client.add(engine_id, FILES / "supplier-handbook.docx")

    async with app.test_request_context("/"):
        g.account = Account(id=1, name="first")
        deleted = await delete_with_everything(services, f"dsc_{data_source['id'][3:]}")
        deleted_engine = await delete_engine_with_everything(services, f"ke_{engine_id[4:]}")

    assert (deleted, deleted_engine) == (data_source["id"], engine_id)
    assert not [path for path in services.settings.data_dir.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("delete", "given_id", "error"),
    [
        pytest.param(delete_with_everything, "ds_0123456789", NotFound, id="data source"),
        pytest.param(delete_with_everything, "nonsense", InvalidId, id="bad data source"),
        pytest.param(delete_engine_with_everything, "ke_0123456789", NotFound, id="engine"),
        pytest.param(delete_engine_with_everything, "nonsense", InvalidId, id="bad engine"),
    ],
)
async def test_what_is_not_there_cannot_be_deleted(
    app: Quart, services: Services, delete: Delete, given_id: str, error: type[ServiceError]
) -> None:
    async with app.test_request_context("/"):
        g.account = Account(id=1, name="first")

        with pytest.raises(error):
            await delete(services, given_id)
