"""Multipart forms, read so that nobody can fill the memory with what is no file.

Quart lets the head of a part grow as long as an upload, and a head of many short lines takes thirty
times its size in memory. So a form is read in small pieces, and a head has to end soon; of a file
nothing is kept but its name and its content, which lies on disk.
"""

from collections.abc import AsyncIterator
from typing import IO, Any, cast

from quart import Request, formparser
from quart.datastructures import FileStorage
from quart.formparser import FormDataParser
from quart.wrappers.request import Body
from werkzeug.datastructures import Headers, MultiDict
from werkzeug.sansio.multipart import MultipartDecoder

PIECE_BYTES = 16 << 10

HEAD_BYTES = 16 << 10
"""What comes before the first part, and the head of each part, may be as long."""


class _NamedFile(FileStorage):
    """A file of a form, without the head of its part."""

    def __init__(self, stream: IO[bytes], filename: str, name: str, **_: Any) -> None:
        super().__init__(stream, filename, name)


class _AnyHeads(MultipartDecoder):
    """Reads heads also in the letters of old Windows: scripts send names of files so.

    Else the whole form is lost for one letter, without a word of why.
    """

    def _parse_headers(self, data: bytes | bytearray) -> Headers:
        try:
            return super()._parse_headers(data)
        except UnicodeDecodeError:
            return super()._parse_headers(data.decode("cp1252", "replace").encode())


# Quart has no other way to be given it.
formparser.MultipartDecoder = _AnyHeads  # type: ignore[attr-defined]


class FormParser(FormDataParser):
    """Reads forms; raises `RequestEntityTooLarge` where a head does not end."""

    file_storage_class = _NamedFile  # type: ignore[assignment]  # It is made with these arguments.

    def __init__(self, **limits: Any) -> None:
        # By this name Quart hands on how much may wait to be understood.
        super().__init__(**limits | {"max_content_length": PIECE_BYTES + HEAD_BYTES})

    async def parse(
        self,
        body: Body,
        mimetype: str,
        content_length: int | None,
        options: dict[str, str] | None = None,
    ) -> tuple[MultiDict[str, Any], MultiDict[str, Any]]:
        """Return the fields and the files of a form."""
        if mimetype == "multipart/form-data":
            body = cast(Body, _pieces(body))
        return await super().parse(body, mimetype, content_length, options)


class FormRequest(Request):
    """A request whose forms are read by this parser."""

    form_data_parser_class = FormParser


async def _pieces(body: Body) -> AsyncIterator[bytes]:
    async for block in body:
        for start in range(0, len(block), PIECE_BYTES):
            yield block[start : start + PIECE_BYTES]
