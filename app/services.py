"""Everything that lives as long as the process: built once, here, and passed on."""

import asyncio
import logging
from collections.abc import (
    AsyncGenerator,
    Awaitable,
    Callable,
    Collection,
    Coroutine,
    Sequence,
)
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from agents.gateway import LLMGateway
from agents.prompts import Message
from agents.usage import Purpose, Usage
from app.database import Database, libpq_url, sqlalchemy_url
from app.engine_owners import EngineOwners
from app.file_store import FileStore
from app.jobs import JobQueue
from app.metrics import Metrics
from app.milvus import open_milvus
from app.outbound import Outbound
from app.work_line import WorkLine, drawing_line, extraction_line
from config.model_table import InvalidModelTable, ModelTable, OutputMode, load_model_table
from config.settings import InvalidSettings, Settings, credential
from indexing.embedding import Embedder, MiniLMEmbedder, Vectors
from indexing.embedding_line import EmbeddingLine
from indexing.engine_index import EngineIndexes, SearchOptions

if TYPE_CHECKING:
    from agents.reranking import ServiceReranker

_logger = logging.getLogger(__name__)

LAST_MOMENT_SECONDS = 5.0
"""How long what goes on in the background may take to end by itself, and then to be ended."""


class Gateway(Protocol):
    """What answers: the language models and the built-in answerer, or a script in tests."""

    async def warm_up(self) -> None:
        """Load what the first answer would have to wait for."""

    def use(self, table: ModelTable) -> None:
        """Answer by another table from the next question on."""

    def failing(self) -> Collection[str]:
        """Return the models that have failed lately."""

    def stream(
        self,
        model: str,
        messages: Sequence[Message],
        usage: Usage | None = None,
        *,
        alternatives: Sequence[str] = (),
    ) -> AsyncGenerator[str, None]:
        """Yield a model's words as they come; if it fails before the first, an alternative's."""

    async def complete(
        self,
        model: str,
        messages: Sequence[Message],
        usage: Usage | None = None,
        *,
        purpose: Purpose,
    ) -> str:
        """Return a short text that a model writes for the service itself."""

    def acompletion(self, model: str, usage: Usage) -> Callable[..., Awaitable[Any]]:
        """Return what asks a model as `litellm.acompletion` does, for structured answers."""

    async def output_modes(self, model: str) -> tuple[OutputMode, ...]:
        """Return how a model can be made to answer in a given form, the tightest way first."""

    async def describe(self, image: bytes, context: str) -> str:
        """Return what a JPEG picture shows, by the model that `KE_VISION_MODEL` names."""


@dataclass
class Services:
    """What the endpoints and the worker work with."""

    settings: Settings
    database: Database
    files: FileStore
    queue: JobQueue
    models: ModelTable
    embedder: Embedder  # of passages, as the engines have them
    indexes: EngineIndexes
    gateway: Gateway
    reranker: "ServiceReranker | None" = None
    built_in_embedder: Embedder | None = None  # None: the same
    background: set[asyncio.Task[None]] = field(default_factory=set)
    is_awake: bool = False
    searches: WorkLine = field(init=False)
    extractions: WorkLine = field(init=False)
    outbound: Outbound = field(init=False)
    drawings: WorkLine = field(default_factory=drawing_line)
    engine_owners: EngineOwners = field(default_factory=EngineOwners)
    metrics: Metrics = field(default_factory=Metrics)

    def __post_init__(self) -> None:
        self.searches = WorkLine(self.settings.max_searches)
        self.extractions = extraction_line(self.settings.extraction_concurrency)
        self.outbound = Outbound(allow_private=self.settings.webhook_allow_private)

    @cached_property
    def embedding_line(self) -> EmbeddingLine:
        """The line in which the documents of this process wait to be embedded."""
        return EmbeddingLine(self.embedder)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed by the built-in model, to which what extracts without a model was fitted."""
        return (self.built_in_embedder or self.embedder).embed(texts)

    def in_background(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let something go on that nobody waits for; a failure of it is logged."""
        task = asyncio.create_task(work)
        self.background.add(task)
        task.add_done_callback(self._forget)
        return task

    def wake(self) -> None:
        """Begin, once, to load what answers need."""
        if not self.is_awake:
            self.is_awake = True
            self.in_background(self.gateway.warm_up())

    def reload_models(self) -> None:
        """Read the routing file again; where it cannot be used, the old one stays in force."""
        try:
            models = _read_models(self.settings)
        except (InvalidModelTable, InvalidSettings) as error:
            _logger.error("The routing file was not taken over: %s", error)
            return
        if (models.embedding, models.rerank) != (self.models.embedding, self.models.rerank):
            _logger.error(
                "The routing file was not taken over: embedding and rerank change at a start only"
            )
            return
        self.models = models
        self.gateway.use(models)
        _logger.info("The routing file was read again")

    async def close(self, *, moment_seconds: float = LAST_MOMENT_SECONDS) -> None:
        """Wait a moment for what goes on in the background, end it, give the connections back."""
        if self.background:
            await asyncio.wait(self.background, timeout=moment_seconds)
        # An answer that is ended stores what was said; past this no connection may be taken.
        for task in self.background:
            task.cancel()
        if self.background:
            await asyncio.wait(self.background, timeout=moment_seconds)
        await self.indexes.close()
        await self.database.close()

    def _forget(self, task: asyncio.Task[None]) -> None:
        self.background.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _logger.error("Work in the background failed", exc_info=error)


def open_services(settings: Settings, database_url: str) -> Services:
    """Build the services of one process (blocking: the model of the embeddings is loaded).

    Raises:
        InvalidModelTable: the routing file cannot be used.
        InvalidSettings: the vision model or the judge is none of it, or has no credentials; or the
            replica's address is none; or Milvus cannot be used as it is set.
    """
    models = _read_models(settings)
    settings.work_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    built_in = MiniLMEmbedder(settings.models_dir, threads=settings.embedding_threads)
    of_passages, of_queries = _embedders(models, built_in)
    database = Database(database_url, settings.database_pool_size)
    services = Services(
        settings=settings,
        database=database,
        files=open_file_store(settings),
        queue=JobQueue(database_url),
        models=models,
        embedder=of_passages,
        indexes=EngineIndexes(
            database.engine,
            of_queries,
            SearchOptions(
                settings.max_searches, _replica_url(settings), settings.vector_cache_mb * 2**20
            ),
            models.embedding.column if models.embedding else None,
        ),
        gateway=LLMGateway(models, built_in.embed, settings.vision_model),
        reranker=_reranker(models),
        built_in_embedder=built_in,
    )
    services.indexes.milvus = open_milvus(settings, of_queries.dimensions)
    return services


def _embedders(models: ModelTable, built_in: Embedder) -> tuple[Embedder, Embedder]:
    """Return what embeds passages, and what embeds queries."""
    if models.embedding is None:
        return built_in, built_in
    from agents.embedding_service import ServiceEmbedder

    return ServiceEmbedder(models.embedding), ServiceEmbedder(models.embedding, for_queries=True)


def _reranker(models: ModelTable) -> "ServiceReranker | None":
    if models.rerank is None:
        return None
    from agents.reranking import ServiceReranker

    return ServiceReranker(models.rerank)


def open_file_store(settings: Settings) -> FileStore:
    """Open where the uploaded files are: the bucket that is set, or a folder of ours.

    Raises:
        InvalidSettings: KE_BLOB_URL names no such place.
    """
    return FileStore(settings.blob_url or f"file://{settings.data_dir.resolve()}/files")


def _replica_url(settings: Settings) -> str:
    given = settings.database_read_url
    return libpq_url(sqlalchemy_url(given, "KE_DATABASE_READ_URL")) if given else ""


def _read_models(settings: Settings) -> ModelTable:
    models = load_model_table(settings.models_file, credential)
    _check_model("KE_VISION_MODEL", settings.vision_model, models)
    _check_model("KE_JUDGE_MODEL", settings.judge_model, models)
    if models.embedding is not None and settings.milvus_uri:
        raise InvalidSettings(
            "KE_MILVUS_URI: vectors of an embedding service live in PostgreSQL only; leave it out, "
            "or the section embedding of the routing file"
        )
    return models


def _check_model(setting: str, identifier: str, models: ModelTable) -> None:
    """Refuse a name that nothing would ever be asked by, at the start rather than later."""
    if not identifier:
        return
    if identifier not in models.models:
        known = ", ".join(models.models)
        raise InvalidSettings(f"{setting}: {identifier!r} is none of {known}")
    if not models.models[identifier].is_enabled:
        raise InvalidSettings(
            f"{setting}: {identifier} is not enabled; set the credentials of one of its "
            f"deployments, or leave {setting} out"
        )
