"""The settings of the service: read once from the environment (`KE_…`), then passed on."""

import os
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from config.logs import LogFormat

# Each must be in the environment before the library it speaks to is imported: no network at
# import, no telemetry, one HTTP stack that tests can see, no spinning threads. The last two are for
# the C library of the processes that are started: large blocks go back to the system at once, which
# takes recognising text 100 MB less and a tenth more time, and threads share their memory.
LIBRARY_ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_TELEMETRY": "False",
    "DISABLE_AIOHTTP_TRANSPORT": "True",
    "DO_NOT_TRACK": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "UNSTRUCTURED_DISABLE_NOTICE": "1",
    "HF_HUB_OFFLINE": "1",
    "OMP_THREAD_LIMIT": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_MMAP_THRESHOLD_": "2097152",
    "MALLOC_ARENA_MAX": "2",
}


class InvalidSettings(Exception):
    """A setting has a value that cannot be used; the message names it."""


class EngineReadyWhen(StrEnum):
    """When an engine that still reads documents counts as `ready`."""

    ALL_PROCESSED = "all_processed"
    ANY_PROCESSED = "any_processed"


class VectorStoreName(StrEnum):
    """Where the vectors of an engine live."""

    POSTGRES = "postgres"
    MILVUS = "milvus"


class Settings(BaseSettings):
    """Everything that can be set; `docs/settings.md` has a line on each."""

    model_config = SettingsConfigDict(env_prefix="KE_", extra="ignore")

    data_dir: Path = Path("data")
    host: str = "127.0.0.1"
    port: int = Field(8080, ge=0, le=65535)
    public_url: str = ""
    database_url: str = ""
    database_read_url: str = ""
    blob_url: str = ""
    vector_store: VectorStoreName = VectorStoreName.POSTGRES
    milvus_uri: str = ""
    milvus_token: str = Field("", repr=False)
    models_file: Path = Path(__file__).with_name("models.yaml")
    vision_model: str = ""
    judge_model: str = ""
    strict_answers: bool = False
    engine_ready_when: EngineReadyWhen = EngineReadyWhen.ALL_PROCESSED
    max_upload_mb: int = Field(512, ge=1)
    worker_concurrency: int = Field(4, ge=1, le=64)
    extraction_concurrency: int = Field(2, ge=1, le=64)
    embedding_threads: int = Field(2, ge=1, le=64)
    database_pool_size: int = Field(10, ge=1, le=200)
    max_searches: int = Field(4, ge=1, le=200)
    vector_cache_mb: int = Field(128, ge=0)
    read_timeout_seconds: int = Field(300, ge=1)
    read_timeout_seconds_per_mb: int = Field(120, ge=0)
    read_memory_mb: int = Field(2048, ge=256)
    webhook_allow_private: bool = False
    audit_log_days: int = Field(365, ge=1, le=36_500)
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    log_format: LogFormat = LogFormat.TEXT

    @property
    def work_dir(self) -> Path:
        """Where copies of documents lie while they are worked on."""
        return self.data_dir / "work"

    @property
    def models_dir(self) -> Path:
        """Where models lie that are built from what comes with the packages."""
        return self.data_dir / "models"

    @property
    def address(self) -> str:
        """Where people reach the service."""
        return self.public_url or f"http://{self.host}:{self.port}"

    @property
    def max_upload_bytes(self) -> int:
        return self.max_upload_mb * 2**20


def load_settings(**overrides: object) -> Settings:
    """Read the settings; `overrides` (from the command line) win where they are not None.

    Raises:
        InvalidSettings: a value is out of its range or of the wrong type.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings.model_validate(given)
    except ValidationError as error:
        lines = [
            f"KE_{'_'.join(str(part) for part in problem['loc']).upper()}: {problem['msg']}"
            for problem in error.errors()
        ]
        raise InvalidSettings("\n".join(lines)) from error


def prepare_library_environment() -> None:
    """Set what the libraries read at import; a value the user has set stays."""
    for name, value in LIBRARY_ENVIRONMENT.items():
        os.environ.setdefault(name, value)


def exports_traces() -> bool:
    """Tell whether the standard variables of OpenTelemetry name a receiver of traces."""
    names = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    return any(os.environ.get(name) for name in names)


def credential(name: str) -> str:
    """Return the value of a provider's environment variable, or "" where it is not set."""
    return os.environ.get(name, "")
