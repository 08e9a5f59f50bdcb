from pathlib import Path

import pytest

from app.doctor.findings import Level
from app.doctor.reading import (
    check_calls,
    check_embedding,
    check_jemalloc,
    check_libreoffice,
    check_recognition,
)
from config.settings import Settings
from indexing.partition.office.libreoffice import find_soffice
from indexing.partition.pdf.calls import COMPILED
from indexing.partition.processes.allocator import jemalloc
from tests.built_models import link_models


def test_word_is_embedded_and_a_drawn_one_recognised(tmp_path: Path) -> None:
    link_models(tmp_path)
    settings = Settings(data_dir=tmp_path)

    found = [*check_embedding(settings), *check_recognition(settings)]

    assert [one.level for one in found] == [Level.OK, Level.OK]


def test_model_that_is_damaged_is_a_problem(tmp_path: Path) -> None:
    link_models(tmp_path)
    settings = Settings(data_dir=tmp_path)
    for file in (tmp_path / "models").rglob("*.onnx"):
        file.unlink()  # Or what others have linked would be damaged too.
        file.write_bytes(b"damaged")

    (found,) = check_embedding(settings)

    assert found.level is Level.PROBLEM
    assert f"Delete {tmp_path / 'models'}" in found.advice


def test_libreoffice_says_its_version_or_how_to_install_it(tmp_path: Path) -> None:
    (found,) = check_libreoffice(Settings(data_dir=tmp_path))

    if find_soffice() is None:
        assert (found.level, bool(found.advice)) == (Level.WARNING, True)
    else:
        assert found.level is Level.OK
        assert found.text[0].isdigit()


def test_libreoffice_that_does_not_run_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "soffice"
    program.write_text("#!/bin/sh\necho no display >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    (found,) = check_libreoffice(Settings(data_dir=tmp_path))

    assert (found.level, found.text) == (Level.WARNING, "does not run: no display")


def test_jemalloc_is_used_or_it_is_said_how_to_install_it(tmp_path: Path) -> None:
    (found,) = check_jemalloc(Settings(data_dir=tmp_path))

    assert found.level is Level.OK
    assert ("apt install libjemalloc2" in found.text) == (jemalloc() is None)


def test_calls_of_pdfium_are_compiled_or_it_is_said_how(tmp_path: Path) -> None:
    (found,) = check_calls(Settings(data_dir=tmp_path))

    assert found.level is Level.OK
    assert ("scripts/compile-calls" in found.text) == (not COMPILED.exists())
