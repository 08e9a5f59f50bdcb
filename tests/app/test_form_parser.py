import gc

import pytest
from quart import Quart, request

from app.form_parser import HEAD_BYTES, PIECE_BYTES
from tests.client import Client

HEAD = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n'
TEXT = b"The lamp is lit."
# A form that is given up leaves its temporary file to be collected, which Python warns about.
abandons_a_form = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

TYPE = {"Content-Type": "multipart/form-data; boundary=x"}


@abandons_a_form
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(HEAD + b"a:b\r\n" * HEAD_BYTES, id="head of many lines"),
        pytest.param(HEAD + b"a: " + b"b" * 2 * (HEAD_BYTES + PIECE_BYTES), id="endless line"),
        pytest.param(b"lamp" * (HEAD_BYTES + PIECE_BYTES), id="no boundary"),
        pytest.param(HEAD + b"\r\n\r\n" + (HEAD + b"\r\n\r\n") * 1001, id="many parts"),
    ],
)
async def test_what_is_no_file_is_not_kept(onlooker: Client, body: bytes) -> None:
    assert (await send(onlooker, body))[0] == 413


@abandons_a_form
@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"--x", id="boundary that breaks off"),
        pytest.param(HEAD, id="head that breaks off"),
        pytest.param(HEAD + b"\r\n" + TEXT, id="no last boundary"),
        pytest.param(HEAD + b"\r\n" + TEXT + b"\r\n--y--\r\n", id="another boundary"),
        pytest.param(b"--x\r\nname: file\r\n\r\na\r\n--x--\r\n", id="part without a name"),
    ],
)
async def test_form_that_breaks_off_is_no_form(onlooker: Client, body: bytes) -> None:
    status, message = await send(onlooker, body)

    assert status == 400
    assert "'Data' failed on the 'required' tag" in message


async def test_form_is_read_wherever_it_is_cut(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()
    for size in range(PIECE_BYTES - 40, PIECE_BYTES + 40, 8):
        content = b"a" * size

        response = await onlooker.upload(engine_id, content + TEXT)

        assert (await response.get_json())["size_bytes"] == size + len(TEXT)


async def test_nothing_of_a_part_is_kept_but_name_and_content(app: Quart) -> None:
    form = HEAD + b"a: b\r\n\r\n" + TEXT + b"\r\n--x--\r\n"

    async with app.test_request_context("/", method="POST", data=form, headers=TYPE):
        file = (await request.files)["file"]

        assert (file.filename, file.read(), list(file.headers)) == ("a.txt", TEXT, [])


@pytest.mark.parametrize(
    ("name", "read"),
    [
        pytest.param("Müller.txt".encode(), "Müller.txt", id="UTF-8"),
        pytest.param("Müller.txt".encode("latin-1"), "Müller.txt", id="Latin-1"),
        pytest.param("Miete – 5 €.txt".encode("cp1252"), "Miete – 5 €.txt", id="Windows"),
        pytest.param(b"M\x81ller.txt", "M�ller.txt", id="DOS"),
    ],
)
async def test_name_of_a_file_may_be_in_the_letters_of_old_windows(
    app: Quart, name: bytes, read: str
) -> None:
    form = b'--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n{}\r\n'
    form += HEAD.replace(b"a.txt", name) + b"\r\n" + TEXT + b"\r\n--x--\r\n"

    async with app.test_request_context("/", method="POST", data=form, headers=TYPE):
        assert (await request.form)["data"] == "{}"
        assert (await request.files)["file"].filename == read


async def send(client: Client, body: bytes) -> tuple[int, str]:
    """Send this as the form of an upload; return the refusal."""
    refusal = await client.error("POST", "/data-sources", data=body, headers=TYPE)
    gc.collect()
    return refusal
