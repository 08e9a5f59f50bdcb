import asyncio
import logging
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text

from app.services import Services, open_services
from config.model_table import MODEL_IDENTIFIERS, InvalidModelTable
from config.settings import InvalidSettings, Settings
from tests.built_models import link_models
from tests.fakes import ScriptedLLM


@pytest.fixture(autouse=True)
def models_that_are_built(tmp_path: Path) -> None:
    """Put the models into the data directory, for to build them takes seconds each time."""
    link_models(tmp_path)


async def test_close_waits_for_what_goes_on_in_the_background(services: Services) -> None:
    done = asyncio.Event()

    async def work() -> None:
        await asyncio.sleep(0.05)
        done.set()

    services.in_background(work())
    await services.close()

    assert done.is_set()
    assert services.background == set()


async def test_close_ends_what_does_not_end_by_itself(services: Services) -> None:
    task = services.in_background(asyncio.sleep(3600))

    await services.close(moment_seconds=0.05)

    assert task.cancelled()


async def test_failure_in_the_background_is_logged(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    with caplog.at_level(logging.ERROR):
        services.in_background(fail())
        await services.close()

    (record,) = caplog.records
    assert record.message == "Work in the background failed"


async def test_answers_are_prepared_once(services: Services) -> None:
    @dataclass
    class CountingLLM(ScriptedLLM):
        warmed_up: int = 0

        async def warm_up(self) -> None:
            self.warmed_up += 1

    services.gateway = llm = CountingLLM()
    services.wake()
    services.wake()
    await services.close()

    assert llm.warmed_up == 1


async def test_opened_services_keep_their_files_in_the_data_directory(
    database_url: str, tmp_path: Path
) -> None:
    (tmp_path / "lease.pdf").write_bytes(b"lease")

    services = await asyncio.to_thread(open_services, Settings(data_dir=tmp_path), database_url)
    await services.files.save("kng_1/ds_1", tmp_path / "lease.pdf")

    assert (tmp_path / "files" / "kng_1" / "ds_1").read_bytes() == b"lease"
    assert await services.database.is_reachable()
    assert set(services.models.models) == set(MODEL_IDENTIFIERS)
    assert services.embedder.dimensions == 384
    await services.close()


async def test_unusable_model_table_stops_the_start(database_url: str, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, models_file=tmp_path / "nothing.yaml")

    with pytest.raises(InvalidModelTable, match=r"nothing\.yaml"):
        await asyncio.to_thread(open_services, settings, database_url)


@pytest.mark.parametrize(
    ("identifier", "message"),
    [
        pytest.param("gpt-5", "KE_VISION_MODEL: 'gpt-5' is none of alpha-4.5-sonnet", id="unknown"),
        pytest.param("auto", "KE_VISION_MODEL: 'auto' is none of", id="auto"),
        pytest.param("built-in", "KE_VISION_MODEL: 'built-in' is none of", id="built-in"),
        pytest.param("delta-4.1", "KE_VISION_MODEL: delta-4.1 is not enabled", id="no credentials"),
    ],
)
async def test_vision_model_that_cannot_be_used_stops_the_start(
    database_url: str, tmp_path: Path, identifier: str, message: str
) -> None:
    settings = Settings(data_dir=tmp_path, vision_model=identifier, models_file=no_keys(tmp_path))

    with pytest.raises(InvalidSettings, match=message):
        await asyncio.to_thread(open_services, settings, database_url)


async def test_address_of_a_replica_that_is_none_stops_the_start(
    database_url: str, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, database_read_url="mysql://h/d")

    with pytest.raises(InvalidSettings, match="KE_DATABASE_READ_URL: only PostgreSQL"):
        await asyncio.to_thread(open_services, settings, database_url)


async def test_search_goes_to_the_primary_while_the_replica_is_away(
    database_url: str, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, database_read_url="postgresql://127.0.0.1:1/nowhere")
    services = await asyncio.to_thread(open_services, settings, database_url)
    engine_id = "kng_0123456789abcd"
    async with services.database.engine.begin() as connection:
        await services.indexes.create(connection, engine_id)

    assert await services.indexes.retrieve(engine_id, "When does the lease end?", 5) == []
    await services.close()


async def test_embedding_service_has_a_column_of_its_own_and_leaves_the_rest_to_the_built_in_model(
    database_url: str, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, models_file=with_search_services(tmp_path))
    services = await asyncio.to_thread(open_services, settings, database_url)
    async with services.database.engine.begin() as connection:
        await services.indexes.create(connection, "kng_0123456789abcd")
        width = await connection.scalar(
            text(
                "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attname = :column"
                " AND attrelid = 'data_kng_0123456789abcd'::regclass"
            ),
            {"column": services.models.embedding and services.models.embedding.column},
        )

    assert width == "vector(1024)"
    assert services.embedder.dimensions == 1024
    assert services.embed(["lease"]).shape == (1, 384)
    assert services.reranker is not None
    await services.close()


async def test_embedding_is_not_changed_while_the_service_runs(
    database_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(data_dir=tmp_path, models_file=with_search_services(tmp_path))
    services = await asyncio.to_thread(open_services, settings, database_url)
    settings.models_file.write_text(settings.models_file.read_text().replace("1024", "512"))

    services.reload_models()

    assert services.models.embedding is not None
    assert services.models.embedding.dimensions == 1024
    assert "embedding and rerank change at a start only" in caplog.text
    await services.close()


async def test_embedding_service_and_milvus_do_not_go_together(
    database_url: str, tmp_path: Path
) -> None:
    settings = Settings(
        data_dir=tmp_path,
        models_file=with_search_services(tmp_path),
        milvus_uri="http://127.0.0.1:1",
    )

    with pytest.raises(InvalidSettings, match="KE_MILVUS_URI"):
        await asyncio.to_thread(open_services, settings, database_url)


def with_search_services(folder: Path) -> Path:
    """Write the routing file with a service that embeds and one that reranks."""
    file = folder / "models.yaml"
    sections = """
embedding: {model: openai/bge, api_base: "http://127.0.0.1:1/v1", dimensions: 1024}
rerank: {model: jina_ai/small, api_base: "http://127.0.0.1:1/v1/rerank"}
"""
    file.write_text(Settings().models_file.read_text() + sections)
    return file


def no_keys(folder: Path) -> Path:
    """Write the routing file so that no environment enables any model."""
    text = Settings().models_file.read_text()
    named = re.sub(r"(api_key|api_base): ([A-Z_]+)", r"\1: UNSET_\2", text)
    (folder / "models.yaml").write_text(named)
    return folder / "models.yaml"
