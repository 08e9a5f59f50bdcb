import subprocess
import sys

import pytest

from agents.built_in import NO_ANSWER, answer_words, write_answer
from agents.extractive.extract import Extract
from agents.extractive.selection import ExtractedSentence
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


async def test_answer_to_the_common_prompt(embedder: MiniLMEmbedder) -> None:
    assert await answered("When does the lease end?", embedder) == (
        "The lease ends on 31 March 2024. <source_id=2>"
    )


async def test_question_without_an_answer_cites_nothing(embedder: MiniLMEmbedder) -> None:
    assert await answered("How do I bake sourdough bread?", embedder) == NO_ANSWER


def test_it_answers_without_litellm() -> None:
    program = "import sys, agents.built_in; sys.exit('litellm' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


async def answered(question: str, embedder: MiniLMEmbedder) -> str:
    messages = render_answer_messages(question, CHUNKS, [])
    return "".join([words async for words in answer_words(messages, embedder.embed)])
