from app.doctor.findings import Level
from app.doctor.vectors import check_milvus
from config.settings import Settings, VectorStoreName
from tests.milvus_server import MilvusServer


def test_installation_without_milvus_is_not_asked_for_one() -> None:
    assert list(check_milvus(Settings())) == []


def test_milvus_that_answers_is_well(milvus: MilvusServer) -> None:
    (found,) = check_milvus(Settings(milvus_uri=milvus.uri))

    assert (found.level, found.subject) == (Level.OK, "vectors")


def test_milvus_that_is_away_is_a_problem() -> None:
    (found,) = check_milvus(Settings(milvus_uri="http://127.0.0.1:1"))

    assert found.level is Level.PROBLEM
    assert "http://127.0.0.1:1 does not answer" in found.text


def test_setting_that_cannot_be_used_is_a_problem() -> None:
    (found,) = check_milvus(Settings(vector_store=VectorStoreName.MILVUS))

    assert found.level is Level.PROBLEM
    assert "KE_MILVUS_URI" in found.text
