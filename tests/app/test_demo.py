"""`ke demo`, run once; each test looks at what it has printed.

It finds the models and its database built, as `ke serve` does in most tests.
"""

import subprocess
from collections.abc import Iterator

import pytest

from tests.built_database import copy_built_database
from tests.built_models import link_models
from tests.ke_process import ke, new_data_dir, processes_of, wait_for


@pytest.fixture(scope="module")
def demo() -> Iterator[subprocess.CompletedProcess[str]]:
    with new_data_dir() as data_dir:
        link_models(data_dir)
        copy_built_database(data_dir)
        yield ke("demo", "--data-dir", data_dir)
        wait_for(lambda: processes_of(data_dir) == [])


def test_demo_succeeds(demo: subprocess.CompletedProcess[str]) -> None:
    assert demo.returncode == 0, demo.stderr
    assert demo.stderr == ""


def test_demo_prints_answers_with_file_and_page(demo: subprocess.CompletedProcess[str]) -> None:
    assert "Q: When does the lease end?" in demo.stdout
    assert "28 February 2032" in demo.stdout
    assert "<source_id=1> warehouse-lease.pdf, page " in demo.stdout


def test_demo_says_how_to_go_on(demo: subprocess.CompletedProcess[str]) -> None:
    assert "./ke serve" in demo.stdout
    assert "curl -N -u ke-" in demo.stdout
    assert "/api/v1/knowledge-engines/kng_" in demo.stdout
