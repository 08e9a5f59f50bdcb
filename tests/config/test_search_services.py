from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from config.search_services import EmbeddingEntry, EmbeddingService, RerankEntry, VariablesNotSet

BGE = {"model": "openai/bge", "dimensions": 1024}


def test_embedding_has_its_key_from_the_environment_and_does_not_show_it() -> None:
    service = EmbeddingEntry.model_validate({**BGE, "api_key": "EMBEDDING_KEY"}).service(
        lambda name: f"value of {name}"
    )

    assert service.api_key == "value of EMBEDDING_KEY"
    assert service.api_key not in repr(service)


def test_variable_that_is_not_set_is_named() -> None:
    entry = RerankEntry.model_validate({"model": "cohere/small", "api_key": "RERANK_KEY"})

    with pytest.raises(VariablesNotSet, match="cohere/small: not set: RERANK_KEY"):
        entry.service(lambda _: "")


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"model": "bge"}, id="no provider"),
        pytest.param({"api_key": "sk-abc"}, id="a key itself"),
        pytest.param({"api_base": "127.0.0.1:80"}, id="no address"),
        pytest.param({"dimensions": 3072}, id="wider than a graph takes"),
        pytest.param({"dimensions": None}, id="no width"),
        pytest.param({"batch_size": 0}, id="no text at once"),
        pytest.param({"batchsize": 8}, id="a word that is none"),
    ],
)
def test_mistakes_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        EmbeddingEntry.model_validate({**BGE, **wrong})


def test_vectors_of_one_model_keep_their_column_when_it_moves() -> None:
    moved = replace(service(), model="hosted_vllm/bge", api_base="http://gpu.example/v1")

    assert moved.column == service().column


@pytest.mark.parametrize(
    "change", [{"model": "openai/e5"}, {"dimensions": 512}, {"passage_prefix": "passage: "}]
)
def test_other_vectors_have_another_column(change: dict[str, Any]) -> None:
    assert replace(service(), **change).column != service().column


def service() -> EmbeddingService:
    return EmbeddingEntry.model_validate(BGE).service(lambda _: "")
