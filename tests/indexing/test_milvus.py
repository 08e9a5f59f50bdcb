"""Milvus by itself; what it is for an engine is in test_vector_store_contract.py."""

from uuid import uuid4

import numpy as np
import pytest

from indexing.embedding import Vectors
from indexing.milvus import Milvus, MilvusAway
from tests.ke_process import wait_for
from tests.milvus_server import MilvusServer


@pytest.fixture
def engine_id() -> str:
    return f"kng_{uuid4().hex}"


@pytest.fixture
def store(milvus: MilvusServer) -> Milvus:
    return Milvus(milvus.uri, dimensions=2)


def test_nearest_comes_with_its_cosine(store: Milvus, engine_id: str) -> None:
    store.put(engine_id, [("ds_1_0", "ds_1", vector(1, 0)), ("ds_2_0", "ds_2", vector(1, 1))])

    found = store.nearest(engine_id, vector(1, 0), 2)

    assert found == {"ds_1_0": pytest.approx(1), "ds_2_0": pytest.approx(0.7071, abs=1e-4)}
    assert set(store.nearest(engine_id, vector(1, 0), 1)) == {"ds_1_0"}
    assert set(store.nearest(engine_id, vector(1, 0), 2, data_source_ids=["ds_2"])) == {"ds_2_0"}
    assert set(store.nearest(engine_id, vector(1, 0), 2, chunk_ids=["ds_2_0"])) == {"ds_2_0"}


def test_vector_that_is_stored_again_is_replaced(store: Milvus, engine_id: str) -> None:
    store.put(engine_id, [("ds_1_0", "ds_1", vector(1, 0))])
    store.put(engine_id, [("ds_1_0", "ds_1", vector(0, 1))])

    assert store.fetch(engine_id, ["ds_1_0", "ds_9_9"]) == {"ds_1_0": [0, 1]}
    assert store.count(engine_id) == 1


def test_data_source_is_deleted_alone_and_an_engine_as_a_whole(
    store: Milvus, engine_id: str
) -> None:
    store.put(engine_id, [("ds_1_0", "ds_1", vector(1, 0)), ("ds_2_0", "ds_2", vector(1, 1))])

    store.delete(engine_id, "ds_1")
    left = (store.count(engine_id, "ds_1"), store.count(engine_id, "ds_2"))
    store.delete(engine_id)

    assert left == (0, 1)
    assert store.count(engine_id) == 0


def test_nothing_is_made_by_looking_for_it(store: Milvus, engine_id: str) -> None:
    store.delete(engine_id)
    store.delete(engine_id, "ds_1")

    assert store.nearest(engine_id, vector(1, 0), 3) == {}
    assert store.fetch(engine_id, ["ds_1_0"]) == {}
    assert store.count(engine_id) == 0


def test_restarted_server_goes_on_with_what_it_had(
    store: Milvus, milvus: MilvusServer, engine_id: str, caplog: pytest.LogCaptureFixture
) -> None:
    store.put(engine_id, [("ds_1_0", "ds_1", vector(1, 0))])

    milvus.stop()
    try:
        for _ in range(2):
            with pytest.raises(MilvusAway):
                store.nearest(engine_id, vector(1, 0), 3)
    finally:
        milvus.start()

    # The one that has failed rests, so it was asked once.
    assert len(caplog.records) == 1
    wait_for(lambda: answers(store, engine_id))
    assert store.count(engine_id) == 1


def test_installation_without_one_has_it_always_away() -> None:
    with pytest.raises(MilvusAway):
        Milvus().count("kng_1")
    assert not Milvus().is_set


@pytest.mark.parametrize("hostile", ['x" or "" == "', "ds_1'] or id in ['", "", "ds-1", "ds 1"])
def test_what_is_no_id_never_comes_into_an_expression(hostile: str) -> None:
    store = Milvus("http://127.0.0.1:1", dimensions=2)

    with pytest.raises(ValueError, match="cannot be part of an expression"):
        store.nearest("kng_1", vector(1, 0), 1, data_source_ids=[hostile])
    with pytest.raises(ValueError, match="cannot be part of an expression"):
        store.fetch("kng_1", [hostile])
    with pytest.raises(ValueError, match="cannot be part of an expression"):
        store.put("kng_1", [(hostile, "ds_1", vector(1, 0))])


def answers(store: Milvus, engine_id: str) -> bool:
    try:
        return store.nearest(engine_id, vector(1, 0), 3).keys() == {"ds_1_0"}
    except MilvusAway:
        return False


def vector(*values: float) -> Vectors:
    return np.array(values, np.float32)
