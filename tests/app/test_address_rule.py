import pytest
from werkzeug.routing import BuildError, Map, MapAdapter

from app.address_rule import AddressRule


@pytest.fixture
def addresses() -> MapAdapter:
    rules = [
        AddressRule("/engines/<engine_id>", endpoint="engine", methods=["GET"]),
        AddressRule("/engines/<engine_id>/pages/<int:number>", endpoint="page", methods=["GET"]),
    ]
    return Map(rules).bind("localhost")


def test_addresses_lead_to_their_views(addresses: MapAdapter) -> None:
    assert addresses.match("/engines/ke_1/pages/2") == ("page", {"engine_id": "ke_1", "number": 2})


def test_addresses_are_written_with_what_they_name(addresses: MapAdapter) -> None:
    values = {"engine_id": "a b", "number": 2}

    assert [addresses.build("page", values) for _ in range(2)] == ["/engines/a%20b/pages/2"] * 2


@pytest.mark.parametrize(
    ("append_unknown", "address"),
    [(True, "/engines/ke_1?tab=keys"), (False, "/engines/ke_1")],
    ids=["behind a question mark", "not at all"],
)
def test_what_an_address_does_not_name_is_written_as_asked(
    addresses: MapAdapter, append_unknown: bool, address: str
) -> None:
    values = {"engine_id": "ke_1", "tab": "keys"}

    assert addresses.build("engine", values, append_unknown=append_unknown) == address


def test_address_is_not_written_without_what_it_names(addresses: MapAdapter) -> None:
    with pytest.raises(BuildError):
        addresses.build("page", {"engine_id": "ke_1"})
