"""The model of embeddings, built once for all tests of a run."""

import os
import shutil
from functools import cache
from pathlib import Path

from indexing.minilm import ensure_model
from tests.built_once import built_once


@cache
def built_models() -> Path:
    """Return a directory that has the model, for those who only read it.

    Building it takes seconds of processor time, in every data directory anew.
    """
    return built_once("models", ensure_model)


def link_models(data_dir: Path) -> None:
    """Put the models into a data directory that has none, as if they had been built there."""
    if not (data_dir / "models").exists():
        data_dir.mkdir(mode=0o711, exist_ok=True)
        shutil.copytree(built_models(), data_dir / "models", copy_function=os.link)
