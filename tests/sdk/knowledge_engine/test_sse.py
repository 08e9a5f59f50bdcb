"""Server-Sent Events, however their bytes are cut."""

import pytest

from knowledge_engine.sse import ServerSentEvent, SseDecoder

STREAM = (
    ": hello\n\n"
    'id: strm_a-1\nevent: message\ndata: "Grün \\u2028"\n\n'
    "data: two\r\ndata:lines\r\n\r\n"
    "event: done\rid: strm_a-2\rdata: {}\r\r"
    "event: nothing\n\n"
    "data: cut off"
)
EVENTS = [
    ServerSentEvent("message", '"Grün \\u2028"', "strm_a-1"),
    ServerSentEvent("message", "two\nlines"),
    ServerSentEvent("done", "{}", "strm_a-2"),
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_the_same_in_pieces_of_any_size(size: int) -> None:
    decoder = SseDecoder()
    content = STREAM.encode()

    pieces = [content[at : at + size] for at in range(0, len(content), size)]

    assert [event for piece in pieces for event in decoder.feed(piece)] == EVENTS


def test_only_the_three_ends_of_a_line_end_one() -> None:
    (event,) = SseDecoder().feed("data: a\u2028b\x85c\x0bd\n\n".encode())

    assert event.data == "a\u2028b\x85c\x0bd"
