"""Where key and address come from."""

import pytest

from knowledge_engine import MissingApiKey
from knowledge_engine.environment import DEFAULT_BASE_URL, find_api_key, find_base_url


def test_argument_comes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KE_API_KEY", "ke-environment")
    monkeypatch.setenv("KE_BASE_URL", "https://environment.example/")

    assert find_api_key("ke-given") == "ke-given"
    assert find_base_url("https://given.example") == "https://given.example"
    assert find_api_key(None) == "ke-environment"
    assert find_base_url(None) == "https://environment.example"


def test_without_either_there_is_an_address_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KE_API_KEY", raising=False)
    monkeypatch.setenv("KE_BASE_URL", "")

    assert find_base_url(None) == DEFAULT_BASE_URL
    with pytest.raises(MissingApiKey, match="KE_API_KEY"):
        find_api_key(None)


def test_path_of_the_api_is_taken_off_and_that_of_a_proxy_kept() -> None:
    assert find_base_url("https://host.example/ke/api/v1/") == "https://host.example/ke"
