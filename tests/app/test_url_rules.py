import pytest
from quart import Quart

from app.url_rules import LateRule


@pytest.fixture
def app() -> Quart:
    app = Quart(__name__, static_folder=None)
    app.url_rule_class = LateRule  # type: ignore[assignment]  # typed as its default
    app.add_url_rule("/engines", "engines", defaults={"page": 1})
    app.add_url_rule("/engines/page/<int:page>", "engines")
    app.add_url_rule("/engines/<engine_id>/files/<path:name>", "file")
    return app


@pytest.mark.parametrize(
    ("endpoint", "values", "address"),
    [
        pytest.param("engines", {"page": 1}, "/engines", id="default"),
        pytest.param("engines", {"page": 2}, "/engines/page/2", id="number"),
        pytest.param("engines", {"page": 2, "by": "a&b"}, "/engines/page/2?by=a%26b", id="more"),
        pytest.param("engines", {"page": 2, "rule": 3}, "/engines/page/2?rule=3", id="named rule"),
        pytest.param(
            "file", {"engine_id": "ü", "name": "a/b?"}, "/engines/%C3%BC/files/a/b%3F", id="path"
        ),
    ],
)
async def test_addresses_are_built_as_by_other_rules(
    app: Quart, endpoint: str, values: dict[str, object], address: str
) -> None:
    async with app.test_request_context("/"):
        assert app.url_for(endpoint, **values) == address  # type: ignore[arg-type]


def test_nothing_is_compiled_before_an_address_is_asked_for(app: Quart) -> None:
    compiled: list[bool] = []

    class Counting(LateRule):
        @staticmethod
        def _get_func_code(code: object, name: str) -> object:
            compiled.append(True)
            return LateRule._get_func_code(code, name)

    app.url_rule_class = Counting
    app.add_url_rule("/late", "late")
    before = list(compiled)
    adapter = app.url_map.bind("localhost")
    addresses = [adapter.build("late") for _ in range(3)]

    assert (before, addresses, compiled) == ([], ["/late"] * 3, [True])
