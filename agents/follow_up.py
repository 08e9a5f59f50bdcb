"""Make a question that leans on the one before it ("and in 2023?") stand alone.

A language model rewrites it, and is checked; without one, rules do.
"""

import logging
import re
from collections.abc import Sequence

from agents.abilities import Complete
from agents.follow_up_rules import completed_by_rules, leans
from agents.history import Turn
from agents.names import names
from agents.question_prompts import render_completion_messages
from config.errors import AnswerFailed

LONGEST_FOLLOW_UP = 500
"""How many characters a question may have to lean on another; a longer one says enough itself."""

LONGEST_TURN = 1000
"""How many characters of each earlier question and answer are looked at."""

LONGEST_ADDITION = 300
"""How many characters longer than the question its rewriting may be."""

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MARKS = re.compile(r"[<>]|https?:", re.IGNORECASE)

_logger = logging.getLogger(__name__)


async def standalone_question(
    question: str, turns: Sequence[Turn], complete: Complete | None
) -> str:
    """Return a question that can be understood without the conversation before it.

    One that stands alone already is returned as it is, and costs no model call.
    """
    turns = [Turn(turn.query[:LONGEST_TURN], turn.response[:LONGEST_TURN]) for turn in turns]
    if not turns or len(question) > LONGEST_FOLLOW_UP or not leans(question, turns[-1].query):
        return question
    if complete is not None:
        try:
            written = await complete(render_completion_messages(question, turns))
        except AnswerFailed as error:
            _logger.warning("The follow-up is completed by rules: %s", error.message)
        else:
            if holds(written, question, turns):
                return written.strip()
            _logger.warning("The follow-up is completed by rules: the model changed its sense")
    return completed_by_rules(question, turns)


def holds(written: str, question: str, turns: Sequence[Turn]) -> bool:
    """Tell whether a model's rewriting is one line that keeps the question and invents nothing.

    Every number and name of the question is in it, and no number that nobody has said.
    """
    line = written.strip()
    said = " ".join([question, *(f"{turn.query} {turn.response}" for turn in turns)])
    return (
        bool(line)
        and "\n" not in line
        and len(line) <= len(question) + LONGEST_ADDITION
        and not _MARKS.search(line)
        and set(_NUMBER.findall(question)) <= set(_NUMBER.findall(line))
        and set(_NUMBER.findall(line)) <= set(_NUMBER.findall(said))
        and all(name.casefold() in line.casefold() for name in names(question))
    )
