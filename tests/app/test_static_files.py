import pytest

from tests.client import Client


@pytest.mark.parametrize("folder", ["/assets", "/docs/assets", "/static"])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("none.js", id="not-there"),
        pytest.param("a" * 300, id="too-long"),
        pytest.param("%00", id="nul"),
        pytest.param("..%2f..%2fblueprint.py", id="outside"),
    ],
)
async def test_name_that_no_file_has_is_not_found(onlooker: Client, folder: str, name: str) -> None:
    response = await onlooker.call("GET", f"{folder}/{name}")

    assert response.status_code == 404


@pytest.mark.parametrize("path", ["/assets/console.css", "/docs/assets/swagger-ui.css"])
async def test_file_is_sent_with_its_type(onlooker: Client, path: str) -> None:
    response = await onlooker.call("GET", path)

    assert (response.status_code, response.mimetype) == (200, "text/css")
