from io import BytesIO
from typing import Any

import pytest
from quart import Quart, request
from werkzeug.datastructures import FileStorage

from app.request_fingerprint import request_fingerprint


def form(name: str = "lease.md", content: bytes = b"text", **fields: str) -> dict[str, Any]:
    files = {"file": FileStorage(BytesIO(content), filename=name)}
    return {"form": {"data": "{}"} | fields, "files": files}


async def fingerprint(path: str = "/a", **options: Any) -> bytes:
    app = Quart(__name__)
    taken: list[bytes] = []

    @app.post("/<path:_>")
    async def take(_: str) -> str:
        taken.append(await request_fingerprint())
        return "".join([file.stream.read().decode() for file in (await request.files).values()])

    response = await app.test_client().post(path, **options)
    assert response.status_code == 200
    return taken[0]


async def test_form_is_the_same_with_another_boundary() -> None:
    part = "--{0}\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--{0}--\r\n"

    found = {
        await fingerprint(
            data=part.format(boundary),
            headers={"Content-Type": f"multipart/form-data; boundary={boundary}"},
        )
        for boundary in ("one", "another")
    }

    assert len(found) == 1


async def test_part_without_a_name_counts_as_well() -> None:
    part = "--cut\r\nContent-Disposition: form-data\r\n\r\n{0}\r\n--cut--\r\n"
    headers = {"Content-Type": "multipart/form-data; boundary=cut"}

    found = {await fingerprint(data=part.format(text), headers=headers) for text in ("a", "b")}

    assert len(found) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"json": {"a": 1}}, {"json": {"a": 2}}, id="JSON"),
        pytest.param({"path": "/a", "json": 1}, {"path": "/b", "json": 1}, id="path"),
        pytest.param({"path": "/a?b=1"}, {"path": "/a?b=2"}, id="query string"),
        pytest.param(form(), form(content=b"other"), id="content of a file"),
        pytest.param(form(), form(name="other.md"), id="name of a file"),
        pytest.param(form(), form(data="{ }"), id="field"),
        pytest.param(
            {"form": {"a": "b"}, "files": {}}, {"form": {"ab": ""}, "files": {}}, id="cut"
        ),
    ],
)
async def test_what_differs_has_another_fingerprint(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert await fingerprint(**one) != await fingerprint(**other)


async def test_file_can_still_be_read() -> None:
    app = Quart(__name__)

    @app.post("/")
    async def take() -> bytes:
        await request_fingerprint()
        return (await request.files)["file"].stream.read()

    response = await app.test_client().post("/", **form())

    assert await response.get_data() == b"text"
