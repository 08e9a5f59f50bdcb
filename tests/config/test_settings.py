import os
from pathlib import Path
from typing import Any

import pytest

from config.settings import (
    LIBRARY_ENVIRONMENT,
    EngineReadyWhen,
    InvalidSettings,
    Settings,
    credential,
    exports_traces,
    load_settings,
    prepare_library_environment,
)


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("KE_"):
            monkeypatch.delenv(name)


def test_nothing_has_to_be_set() -> None:
    settings = load_settings()

    assert (settings.host, settings.port, settings.data_dir) == ("127.0.0.1", 8080, Path("data"))
    assert settings.models_file.name == "models.yaml"
    assert settings.models_file.is_file()
    assert settings.engine_ready_when is EngineReadyWhen.ALL_PROCESSED


@pytest.mark.parametrize(
    ("name", "value", "field", "expected"),
    [
        pytest.param("KE_PORT", "9000", "port", 9000, id="port"),
        pytest.param("KE_DATA_DIR", "/srv/ke", "data_dir", Path("/srv/ke"), id="path"),
        pytest.param(
            "KE_DATABASE_URL", "postgresql://h/d", "database_url", "postgresql://h/d", id="text"
        ),
        pytest.param("KE_AUDIT_LOG_DAYS", "30", "audit_log_days", 30, id="days"),
        pytest.param("KE_BLOB_URL", "s3://b/p", "blob_url", "s3://b/p", id="store"),
        pytest.param("KE_MODELS_FILE", "m.yaml", "models_file", Path("m.yaml"), id="models"),
        pytest.param(
            "KE_ENGINE_READY_WHEN",
            "any_processed",
            "engine_ready_when",
            EngineReadyWhen.ANY_PROCESSED,
            id="word",
        ),
        pytest.param("KE_VISION_MODEL", "delta-4.1", "vision_model", "delta-4.1", id="vision"),
        pytest.param("KE_MAX_UPLOAD_MB", "3", "max_upload_bytes", 3 * 2**20, id="upload"),
        pytest.param(
            "KE_WEBHOOK_ALLOW_PRIVATE", "True", "webhook_allow_private", True, id="yes or no"
        ),
        pytest.param("ke_port", "9000", "port", 9000, id="small letters"),
    ],
)
def test_settings_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, field: str, expected: Any
) -> None:
    monkeypatch.setenv(name, value)

    assert getattr(load_settings(), field) == expected


def test_command_line_wins_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KE_PORT", "9000")
    monkeypatch.setenv("KE_HOST", "0.0.0.0")

    settings = load_settings(port=7000, host=None)

    assert (settings.port, settings.host) == (7000, "0.0.0.0")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        pytest.param("KE_PORT", "http", "KE_PORT: Input should be a valid integer", id="word"),
        pytest.param("KE_PORT", "70000", "KE_PORT: Input should be less than", id="too high"),
        pytest.param("KE_MAX_UPLOAD_MB", "0", "KE_MAX_UPLOAD_MB: Input should be", id="too low"),
        pytest.param(
            "KE_ENGINE_READY_WHEN",
            "never",
            "KE_ENGINE_READY_WHEN: Input should be 'all_processed' or 'any_processed'",
            id="unknown word",
        ),
    ],
)
def test_unusable_value_is_told_by_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, message: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(InvalidSettings) as error:
        load_settings()

    assert str(error.value).startswith(message)


def test_every_unusable_value_has_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KE_PORT", "http")
    monkeypatch.setenv("KE_WORKER_CONCURRENCY", "0")

    with pytest.raises(InvalidSettings) as error:
        load_settings()

    names = [line.partition(":")[0] for line in str(error.value).splitlines()]
    assert names == ["KE_PORT", "KE_WORKER_CONCURRENCY"]


@pytest.mark.parametrize(
    "name", ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]
)
def test_traces_are_exported_where_a_receiver_is_named(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not exports_traces()

    monkeypatch.setenv(name, "http://127.0.0.1:4318")

    assert exports_traces()


def test_library_environment_leaves_what_the_user_has_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.delenv("LITELLM_TELEMETRY", raising=False)

    prepare_library_environment()

    assert os.environ["OMP_NUM_THREADS"] == "7"
    assert os.environ["LITELLM_TELEMETRY"] == LIBRARY_ENVIRONMENT["LITELLM_TELEMETRY"]


def test_credential_is_empty_where_it_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)

    assert (credential("OPENAI_API_KEY"), credential("GEMINI_API_KEY")) == ("sk-1", "")


def test_token_of_milvus_is_not_shown() -> None:
    assert "secret" not in repr(load_settings(milvus_token="root:secret"))


def test_upload_limit_is_counted_in_bytes() -> None:
    assert Settings(max_upload_mb=2).max_upload_bytes == 2_097_152
