from pathlib import Path

from indexing.ocr_models import PARAMETERS, models


def test_every_model_lies_in_the_wheel() -> None:
    models = [value for name, value in PARAMETERS.items() if name.endswith(".model_path")]

    assert len(models) == 3
    assert all(Path(str(model)).is_file() for model in models)


def test_they_are_loaded_once() -> None:
    assert models() is models()
