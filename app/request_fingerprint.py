"""What makes two requests the same: their address and what they carry, not how it is packed."""

import asyncio
import hashlib
from typing import IO

from quart import request

_BLOCK_BYTES = 1 << 20


async def request_fingerprint() -> bytes:
    """Return the SHA-256 of this request: its method, address and body.

    Of a form the parts count, for its boundary is another one at each attempt.
    """
    digest = hashlib.sha256()

    def add(*parts: str | bytes) -> None:
        for part in parts:
            raw = part.encode() if isinstance(part, str) else part
            # With its length, or two parts could pass for one.
            digest.update(f"{len(raw)} ".encode() + raw)

    add(request.method, request.path, request.query_string, request.mimetype)
    if request.mimetype != "multipart/form-data":
        add(await request.get_data(as_text=False))
        return digest.digest()
    # The head of a part need not give it a name.
    for name, value in (await request.form).items(multi=True):
        add("field", name or "", value)
    for name, file in (await request.files).items(multi=True):
        content = await asyncio.to_thread(_digest, file.stream)
        add("file", name or "", file.filename or "", content)
    return digest.digest()


def _digest(content: IO[bytes]) -> bytes:
    """Return the SHA-256 of a file, and leave it to be read from its beginning."""
    digest = hashlib.sha256()
    while block := content.read(_BLOCK_BYTES):
        digest.update(block)
    content.seek(0)
    return digest.digest()
