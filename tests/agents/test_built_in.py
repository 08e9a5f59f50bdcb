from typing import Any

import pytest

from agents.built_in import NO_ANSWER, BuiltInProvider, write_answer
from agents.extractive import Extract, ExtractedSentence
from agents.prompts import render_answer_messages
from indexing.embedding import MiniLMEmbedder
from tests.agents.chunks import chunk

CHUNKS = [
    chunk(1, "The gate is closed at night."),
    chunk(2, "The lease ends on 31 March 2024."),
]


@pytest.mark.parametrize(
    ("sentences", "text"),
    [
        pytest.param([], NO_ANSWER, id="none"),
        pytest.param([("It ends.", 0)], "It ends. <source_id=1>", id="one"),
        pytest.param(
            [("It ends.", 2), ("It began.", 0)],
            "It ends. <source_id=3>\nIt began. <source_id=1>",
            id="two",
        ),
    ],
)
def test_each_sentence_carries_the_key_of_its_passage(
    sentences: list[tuple[str, int]], text: str
) -> None:
    found = Extract(tuple(ExtractedSentence(*one) for one in sentences), 1.0)

    assert "".join(write_answer(found)) == text


async def test_whole_answer(embedder: MiniLMEmbedder) -> None:
    response = await BuiltInProvider(embedder.embed).acompletion(**asked("When does it end?"))

    assert response.choices[0].message.content == "The lease ends on 31 March 2024. <source_id=2>"
    assert response.choices[0].finish_reason == "stop"


async def test_streamed_answer_ends_with_an_empty_part(embedder: MiniLMEmbedder) -> None:
    provider = BuiltInProvider(embedder.embed)

    parts = [part async for part in provider.astreaming(**asked("When does the lease end?"))]

    assert "".join(part["text"] for part in parts) == (
        "The lease ends on 31 March 2024. <source_id=2>"
    )
    assert [part["is_finished"] for part in parts] == [False, True]


def asked(question: str) -> dict[str, Any]:
    messages = render_answer_messages(question, CHUNKS, [])
    return {"model": "built_in/extractive", "messages": messages}
