import resource
from collections.abc import Iterator

import pytest

from app.doctor.findings import Level
from app.doctor.machine import check_limits, check_memory
from config.settings import Settings


@pytest.fixture
def few_files() -> Iterator[None]:
    """Let this process have few files open at once."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_memory_is_compared_with_what_the_settings_ask_for() -> None:
    (found,) = check_memory(Settings(worker_concurrency=64))

    assert "about 20,200 MB at work" in found.text


@pytest.mark.usefixtures("few_files")
def test_low_limit_is_a_warning() -> None:
    (found,) = check_limits(Settings())

    assert found.level is Level.WARNING
    assert found.text.startswith("512 files")
