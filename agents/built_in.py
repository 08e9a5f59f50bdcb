"""The built-in answerer as the gateway calls it: it reads the common prompt, and needs no key."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence

from agents.extractive.extract import Extract, extract
from agents.prompts import Message, read_passages, read_question
from indexing.embedding import Vectors

NO_ANSWER = "The documents do not answer this question."

Embed = Callable[[Sequence[str]], Vectors]
"""Returns one row of length 1 per text; it may be called in any thread."""


async def answer_words(messages: Sequence[Message], embed: Embed) -> AsyncIterator[str]:
    """Yield the answer sentence by sentence, each with the key of its passage."""
    # The embedding takes the processor for a while, and the event loop has others to serve.
    passages, question = read_passages(messages), read_question(messages)
    found = await asyncio.to_thread(extract, question, passages, embed)
    for words in write_answer(found):
        yield words


def write_answer(found: Extract) -> Iterator[str]:
    """Write the sentences one after the other, each with the key of its passage."""
    if not found.sentences:
        yield NO_ANSWER
    for number, sentence in enumerate(found.sentences):
        space = "\n" if number else ""
        yield f"{space}{sentence.text} <source_id={sentence.passage + 1}>"
