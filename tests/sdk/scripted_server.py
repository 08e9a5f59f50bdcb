"""A service that says what it is told to and breaks connections, on loopback."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class ScriptedServer:
    """Answers one connection after the other with the given bytes, and closes it."""

    answers: Sequence[bytes]
    requests: list[str] = field(default_factory=list)
    address: str = ""

    def serve(self, listener: socket.socket) -> None:
        for answer in self.answers:
            connection, _ = listener.accept()
            with connection:
                self.requests.append(_request(connection))
                connection.sendall(answer)


@contextmanager
def scripted(*answers: bytes) -> Iterator[ScriptedServer]:
    """Run a server that expects as many requests as it has answers."""
    server = ScriptedServer(answers)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread = threading.Thread(target=server.serve, args=(listener,), daemon=True)
        thread.start()
        yield server
        thread.join(10)
        assert not thread.is_alive(), "fewer requests came than were expected"


def response(status: str, body: str = "{}", *headers: str) -> bytes:
    """Return a whole response."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body.encode())}", *headers]
    return "\r\n".join([*lines, "Connection: close", "", body]).encode()


def events(text: str, *headers: str) -> bytes:
    """Return the beginning of a stream, which lacks its end: the connection breaks behind it."""
    head = ["HTTP/1.1 200 OK", "Content-Type: text/event-stream", "Content-Length: 999999"]
    return "\r\n".join([*head, *headers, "", text]).encode()


def _request(connection: socket.socket) -> str:
    """Read a request whole, and return it."""
    received = b""
    while b"\r\n\r\n" not in received:
        received += connection.recv(65536)
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")]
    length = int(lengths[0].split(b":")[1]) if lengths else 0
    while len(body) < length:
        body += connection.recv(65536)
    return (head + b"\r\n\r\n" + body).decode()
