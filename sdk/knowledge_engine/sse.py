"""Server-Sent Events, read from bytes as they come."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE_END = re.compile(rb"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class ServerSentEvent:
    """An event; its id is "" where it has none of its own."""

    event: str
    data: str
    id: str = ""


class SseDecoder:
    """Cuts a stream of bytes into events; comments and what is cut off at the end are dropped."""

    def __init__(self) -> None:
        self._rest = b""
        self._event = ""
        self._data: list[str] = []
        self._id = ""

    def feed(self, chunk: bytes) -> Iterator[ServerSentEvent]:
        """Yield the events that are complete with this chunk."""
        *lines, self._rest = _LINE_END.split(self._rest + chunk)
        if lines and not self._rest and chunk.endswith(b"\r"):
            # The \n that ends this line as well may be still to come.
            self._rest = lines.pop() + b"\r"
        for line in lines:
            if line:
                self._take(line.decode())
                continue
            if self._data:
                yield ServerSentEvent(self._event or "message", "\n".join(self._data), self._id)
            self._event, self._data, self._id = "", [], ""

    def _take(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                self._event = value
            case "data":
                self._data.append(value)
            case "id":
                self._id = value
