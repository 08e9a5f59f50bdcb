"""Have a second model say whether the passages say what an answer says.

Its word is added to the reasons of the verification; the verdicts stay those of `grounding.py`,
which can be followed and cost nothing. Where the model fails, that is what is added.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from agents.abilities import Complete
from agents.prompts import render_judge_messages
from agents.verification import CheckedSentence
from config.errors import ServiceError
from indexing.types import Chunk

LONGEST_REASON = 300

_WORDS = ("supported", "partial", "unsupported")
_ENTRY = re.compile(r"\{[^{}]*\}")


async def judge(
    sentences: Sequence[CheckedSentence], chunks: Sequence[Chunk], complete: Complete
) -> list[CheckedSentence]:
    """Return the sentences, the judge's word added to the reason of each.

    `chunks` are the passages that the answer cites, in the order of their numbers. A failure of the
    judge is no failure of the answer: it is written into the reasons.
    """
    if not sentences:
        return []
    texts = [one.sentence for one in sentences]
    try:
        reply = await complete(render_judge_messages(texts, chunks))
    except ServiceError as error:
        said, otherwise = {}, f"the judge failed: {error.message}"
    else:
        said, otherwise = dict(_read(reply)), "the judge said nothing of this that can be read"
    return [
        replace(one, reason="; ".join(filter(None, (one.reason, said.get(number, otherwise)))))
        for number, one in enumerate(sentences, start=1)
    ]


def _read(reply: str) -> Iterator[tuple[int, str]]:
    """Yield the number of a sentence and what is said of it, from whatever stands around them."""
    for match in _ENTRY.finditer(reply):
        try:
            entry: dict[str, Any] = json.loads(match[0])
        except json.JSONDecodeError:
            continue
        number, word = entry.get("sentence"), entry.get("verdict")
        if isinstance(number, int) and word in _WORDS:
            reason = " ".join(str(entry.get("reason") or "").split())[:LONGEST_REASON]
            yield number, f"judge: {word}, {reason}" if reason else f"judge: {word}"
