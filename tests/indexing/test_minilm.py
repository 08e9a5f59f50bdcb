from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import onnx
import pytest

from indexing.minilm import WEIGHTS_FILE, ensure_model, kind_of_integers, read_safetensors
from tests.built_models import link_models


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ensure_model(tmp_path_factory.mktemp("models"), quantized=False)


def test_model_is_a_valid_graph(model: Path) -> None:
    onnx.checker.check_model(model, full_check=True)


def test_weights_lie_beside_the_graph(model: Path) -> None:
    weights = model.with_name("model.weights")

    assert model.stat().st_size < 100_000
    assert weights.stat().st_size > 90_000_000


def test_model_is_built_once(model: Path) -> None:
    built = model.stat().st_mtime_ns

    again = ensure_model(model.parent.parent, quantized=False)

    assert again == model
    assert again.stat().st_mtime_ns == built


def test_quantised_model_is_a_quarter_of_the_size(tmp_path: Path) -> None:
    link_models(tmp_path)
    models = tmp_path / "models"

    model = ensure_model(models)

    assert 20_000_000 < model.stat().st_size < 25_000_000
    assert ensure_model(models) == model
    assert ensure_model(models, quantized=False) != model


@pytest.mark.parametrize(
    ("processor", "expected"),
    [
        pytest.param("flags : fma sse4_2 avx avx2 bmi2", "uint8", id="AVX2 alone"),
        pytest.param("flags : avx2 avx512f avx512bw", "uint8", id="AVX-512 without VNNI"),
        pytest.param("flags : avx2 avx512f avx512_vnni", "int8", id="AVX-512 with VNNI"),
        pytest.param("flags : avx2 avx_vnni", "int8", id="AVX2 with VNNI"),
        pytest.param("Features : fp asimd asimddp", "int8", id="ARM"),
        pytest.param("", "int8", id="unknown"),
    ],
)
def test_weights_are_unsigned_where_products_of_signed_ones_overflow(
    processor: str, expected: str
) -> None:
    assert kind_of_integers(processor) == expected


def test_what_a_killed_process_left_does_no_harm(tmp_path: Path) -> None:
    unfinished = tmp_path / "all-MiniLM-L6-v2.unfinished"
    unfinished.mkdir()
    (unfinished / "model.onnx").write_bytes(b"half a gra")

    model = ensure_model(tmp_path, quantized=False)

    assert not unfinished.exists()
    onnx.checker.check_model(model)


def test_processes_that_build_at_once_agree(tmp_path: Path) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        models = set(processes.map(ensure_model, [tmp_path, tmp_path]))

    assert len(models) == 1
    onnx.checker.check_model(models.pop())


def test_safetensors_are_read_as_they_are() -> None:
    weights = read_safetensors(WEIGHTS_FILE)

    assert weights["embeddings.word_embeddings.weight"].shape == (30522, 384)
    assert weights["encoder.layer.5.output.dense.weight"].dtype == np.float32
    assert "embeddings.position_ids" not in weights  # Whole numbers, no weights.
