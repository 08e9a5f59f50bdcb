"""What the tests share."""

from config.settings import load_settings, prepare_library_environment

# Read by libraries when they are imported, so set before any other is.
prepare_library_environment()

import gc
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from uuid import uuid4

import hypothesis
import psycopg
import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from psycopg import sql
from quart import Quart
from sqlalchemy import make_url
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from app.api_keys import issue_api_key
from app.application import create_app
from app.database import Database
from app.embedded_postgres import DATABASE, EmbeddedPostgres
from app.file_store import FileStore
from app.jobs import JobQueue
from app.loading import loading
from app.models.account import insert_account, select_first_account
from app.scopes import Scope
from app.services import Services
from config.model_table import ModelTable, load_model_table
from indexing.embedding import MiniLMEmbedder
from indexing.engine_index import EngineIndexes
from tests.built_database import copy_built_database
from tests.built_models import built_models
from tests.built_once import begin_run
from tests.client import Client
from tests.fakes import HashEmbedder, ScriptedLLM
from tests.ke_process import Service, new_data_dir, serving
from tests.milvus_server import MilvusServer, milvus_server
from tests.span_exporter import span_exporter

# What the tests load stays, so to look through it for what can be collected is for nothing: a tenth
# of the time that it takes to load all, in each process.
gc.set_threshold(50_000)

begin_run()

# How long an example takes says more about the machine than about the code.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.load_profile("any machine")

TEMPLATE = "template_ke"
TEMPLATE_WITH_LEASE = "template_lease"

FILES = Path(__file__).parent / "files"


LONG = ("", "sdk", "app", "indexing")
"""The folders below this one that have files which take long; none of the others is to end last."""

TOGETHER = (
    (
        "tests/sdk/",
        "tests/app/test_api_only.py",
        "tests/app/test_key_commands.py",
        "tests/app/doctor/test_report.py",
    ),
    # What their documentation shows goes to the first engine, so no others may use their service.
    ("tests/app/people/",),
)
"""Tests that share one `ke serve`, which takes as long to start as many tests take."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Load all tests without looking for garbage, and never look for it in what is loaded."""
    with loading():
        result = yield
    return result


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long: a file that takes a minute is not to come last."""
    items.sort(key=_place_in_order)


class WholeFiles(LoadFileScheduling):
    """Gives each process whole files, for their tests share their servers, or several at once."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return next((group[0] for group in TOGETHER if file.startswith(group)), file)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> WholeFiles:
    return WholeFiles(config, log)


@pytest.fixture(scope="session")
def postgres() -> Iterator[EmbeddedPostgres]:
    """One server for all tests of this process, with the template of their databases."""
    data_dir = Path(tempfile.mkdtemp(prefix="ke-test-", dir=_fast_folder()))
    copy_built_database(data_dir)
    with EmbeddedPostgres.start(data_dir) as server:
        _forget_durability(server)
        with _administering(server) as connection:
            copy_database(connection, DATABASE, TEMPLATE)
        yield server
    shutil.rmtree(data_dir)


@pytest.fixture(scope="session")
def administration(postgres: EmbeddedPostgres) -> Iterator[psycopg.Connection]:
    """What makes and drops the databases of all tests; to open it takes half as long as to copy."""
    with _administering(postgres) as connection:
        yield connection


@dataclass(frozen=True)
class ReadLease:
    """An engine that holds the warehouse lease, read: in a template of databases, and in files."""

    engine_id: str
    source_id: str
    key: str
    files: Path


@pytest.fixture(scope="session")
async def read_lease(
    postgres: EmbeddedPostgres,
    administration: psycopg.Connection,
    tmp_path_factory: pytest.TempPathFactory,
) -> ReadLease:
    """Read once for all tests of this process: to copy it takes a tenth of the time."""
    copy_database(administration, TEMPLATE, TEMPLATE_WITH_LEASE)
    directory = tmp_path_factory.mktemp("lease")
    services = open_services(_url_of(postgres, TEMPLATE_WITH_LEASE), ScriptedLLM(), directory)
    client = await new_client(create_app(services), services, "first")
    engine_id = await client.create_engine()
    source = await client.add(engine_id, FILES / "warehouse-lease.pdf")
    await services.close()
    return ReadLease(engine_id, source["id"], client.key, directory / "files")


@pytest.fixture(scope="session")
async def onlooker(
    postgres: EmbeddedPostgres,
    administration: psycopg.Connection,
    read_lease: ReadLease,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Client]:
    """A client of the engine that holds the lease, for all tests that leave it as it is.

    They only look, are refused, or work in an engine of their own. To make a database and an
    application takes ten times as long as to ask one thing.
    """
    name, directory = f"test_{uuid4().hex}", tmp_path_factory.mktemp("onlooker")
    copy_database(administration, TEMPLATE_WITH_LEASE, name)
    shutil.copytree(read_lease.files, directory / "files")
    services = open_services(_url_of(postgres, name), ScriptedLLM(), directory)
    yield Client(create_app(services), services, read_lease.key)
    await services.close()
    drop_database(administration, name)


@pytest.fixture
def given_lease(request: pytest.FixtureRequest) -> ReadLease | None:
    """What the database has from the beginning, if the test wants an engine."""
    if "read_lease" not in request.fixturenames:
        return None
    read_lease: ReadLease = request.getfixturevalue("read_lease")
    return read_lease


@pytest.fixture(scope="session")
def left_databases() -> list[str]:
    """What the last test has left; who drops it while its connections end waits for 100 ms."""
    return []


@pytest.fixture
def database_url(
    postgres: EmbeddedPostgres,
    administration: psycopg.Connection,
    given_lease: ReadLease | None,
    left_databases: list[str],
) -> Iterator[str]:
    """A fresh database with the vector extension, for SQLAlchemy."""
    name = f"test_{uuid4().hex}"
    copy_database(administration, TEMPLATE_WITH_LEASE if given_lease else TEMPLATE, name)
    yield _url_of(postgres, name)
    while left_databases:
        drop_database(administration, left_databases.pop())
    left_databases.append(name)


@pytest.fixture
def empty_database(
    postgres: EmbeddedPostgres, administration: psycopg.Connection
) -> Iterator[Callable[[], str]]:
    """Makes databases without any table; returns the address of each."""
    with ExitStack() as databases:
        yield lambda: databases.enter_context(new_empty_database(postgres, administration))


@contextmanager
def new_empty_database(
    postgres: EmbeddedPostgres, administration: psycopg.Connection
) -> Iterator[str]:
    """Yield the address of a database without any table."""
    name = f"empty_{uuid4().hex}"
    copy_database(administration, "template0", name)
    yield _url_of(postgres, name)
    drop_database(administration, name)


def copy_database(connection: psycopg.Connection, source: str, name: str) -> None:
    # Copied through the write-ahead log, which is the default, it takes twice the processor time.
    statement = sql.SQL("create database {} template {} strategy file_copy")
    connection.execute(statement.format(sql.Identifier(name), sql.Identifier(source)))


def drop_database(connection: psycopg.Connection, name: str) -> None:
    connection.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def embedder() -> MiniLMEmbedder:
    """The real model; most tests do with `HashEmbedder`."""
    return MiniLMEmbedder(built_models(), threads=1)


@pytest.fixture(scope="session")
def milvus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MilvusServer]:
    """One Milvus for all tests of this process; a test that stops it starts it again."""
    with milvus_server(tmp_path_factory.mktemp("milvus")) as server:
        yield server


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """One `ke serve` for all tests that leave it as it is."""
    with new_data_dir() as data_dir, serving(data_dir) as service:
        yield service


@pytest.fixture
def llm() -> ScriptedLLM:
    """The model that answers, as `delta-4.1` and every other identifier."""
    return ScriptedLLM()


@pytest.fixture
async def services(database_url: str, llm: ScriptedLLM, tmp_path: Path) -> AsyncIterator[Services]:
    """The services of a process, on a database of their own; every model is enabled."""
    services = open_services(database_url, llm, tmp_path)
    yield services
    await services.close()


def open_services(database_url: str, llm: ScriptedLLM, directory: Path) -> Services:
    settings = load_settings(data_dir=directory, max_upload_mb=2)
    settings.work_dir.mkdir()
    database = Database(database_url, pool_size=5)
    embedder = HashEmbedder()
    return Services(
        settings=settings,
        database=database,
        files=FileStore(f"file://{directory}/files"),
        queue=JobQueue(database_url),
        models=every_model(settings.models_file),
        embedder=embedder,
        indexes=EngineIndexes(database.engine, embedder),
        gateway=llm,
    )


@cache
def every_model(models_file: Path) -> ModelTable:
    """Read the models once for all tests of this process: they are not to be changed."""
    return load_model_table(models_file, lambda name: f"value of {name}")


@pytest.fixture
def without_a_key(services: Services) -> None:
    """No model of a provider is there, only what is built in."""
    services.models = load_model_table(services.settings.models_file, lambda name: "")


@pytest.fixture
def app(services: Services) -> Quart:
    return create_app(services)


@pytest.fixture
async def client(app: Quart, services: Services, given_lease: ReadLease | None) -> Client:
    """A client with the key of an account of its own."""
    if given_lease:
        return Client(app, services, given_lease.key)
    return await new_client(app, services, "first")


@pytest.fixture
def spans() -> InMemorySpanExporter:
    """What is traced from here on; an application traces if it is made after this."""
    exporter = span_exporter()
    exporter.clear()
    return exporter


@pytest.fixture
async def stranger(app: Quart, services: Services) -> Client:
    """A client of another account."""
    return await new_client(app, services, "second")


async def new_client(app: Quart, services: Services, account_name: str) -> Client:
    async with services.database.transaction() as session:
        account = await insert_account(session, account_name)
        key = await issue_api_key(session, account, "test")
    return Client(app, services, key)


async def new_key(
    services: Services, *, scope: Scope = Scope.ADMIN, engine_id: str | None = None
) -> str:
    """Return a further key of the first account."""
    async with services.database.transaction() as session:
        account = await select_first_account(session)
        assert account is not None
        return await issue_api_key(session, account, "more", scope=scope, engine_id=engine_id)


@pytest.fixture
def engine(read_lease: ReadLease, client: Client, tmp_path: Path) -> str:
    """The id of an engine of the client that holds the warehouse lease, read."""
    shutil.copytree(read_lease.files, tmp_path / "files", dirs_exist_ok=True)
    return read_lease.engine_id


def _place_in_order(item: pytest.Item) -> int:
    folder = item.path.parent.relative_to(FILES.parent).as_posix()
    return next(
        (
            place
            for place, long in enumerate(LONG)
            if folder == (long or ".") or (long and folder.startswith(f"{long}/"))
        ),
        len(LONG),
    )


def _administering(server: EmbeddedPostgres) -> psycopg.Connection:
    """Connect to none of the databases that are copied: who is copied must be alone."""
    return psycopg.connect(server.dsn, dbname="postgres", autocommit=True)


def _url_of(server: EmbeddedPostgres, name: str) -> str:
    return make_url(server.sqlalchemy_url).set(database=name).render_as_string(hide_password=False)


def _fast_folder() -> Path:
    """Return a folder in memory where there is room: a database is three hundred files."""
    memory = Path("/dev/shm")
    has_room = memory.is_dir() and shutil.disk_usage(memory).free > 2**31
    return memory if has_room else Path("/tmp")


def _forget_durability(server: EmbeddedPostgres) -> None:
    """Let the server trust memory: databases are made and dropped three times as fast."""
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            connection.execute(sql.SQL("ALTER SYSTEM SET {} = off").format(sql.Identifier(setting)))
        connection.execute("SELECT pg_reload_conf()")
