"""A model that never runs out of answers."""

from collections.abc import AsyncIterator, Sequence

from agents.prompts import Message
from agents.usage import Purpose, Usage
from tests.fakes import ScriptedLLM


class TalkativeLLM(ScriptedLLM):
    """Answers every question alike."""

    async def stream(
        self,
        model: str,
        messages: Sequence[Message],
        usage: Usage | None = None,
        *,
        alternatives: Sequence[str] = (),
    ) -> AsyncIterator[str]:
        with (usage or Usage()).step(Purpose.ANSWER, model) as step:
            step.note_first_word()
            for word in ("The lease ", "ends in March ", "<source_id=1>."):
                yield word
