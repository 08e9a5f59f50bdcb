"""What stands at the process edge in tests: the model that speaks, and the one that embeds."""

import hashlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from agents.prompts import Message
from agents.usage import Purpose, Usage
from config.errors import AnswerFailed, ServiceError
from config.model_table import ModelTable
from indexing.embedding import Vectors
from indexing.figures import DescriptionFailed


@dataclass
class ScriptedLLM:
    """Plays back the given answers and keeps the prompts it was sent."""

    answers: list[list[str | ServiceError]] = field(default_factory=list)
    prompts: list[Sequence[Message]] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    descriptions: list[str | DescriptionFailed] = field(default_factory=list)
    images: list[tuple[bytes, str]] = field(default_factory=list)
    completions: list[str] = field(default_factory=list)
    """What it writes for the service itself; when there is nothing left, it fails."""

    async def warm_up(self) -> None:
        """Nothing has to be loaded."""

    def use(self, table: ModelTable) -> None:
        """It answers as any model."""

    def failing(self) -> set[str]:
        return set()

    async def stream(
        self,
        model: str,
        messages: Sequence[Message],
        usage: Usage | None = None,
        *,
        alternatives: Sequence[str] = (),
    ) -> AsyncIterator[str]:
        self.models.append(model)
        self.prompts.append(messages)
        with (usage or Usage()).step(Purpose.ANSWER, model) as step:
            for word in self.answers.pop(0):
                if isinstance(word, ServiceError):
                    raise word
                step.note_first_word()
                yield word

    async def complete(
        self,
        model: str,
        messages: Sequence[Message],
        usage: Usage | None = None,
        *,
        purpose: Purpose,
    ) -> str:
        if not self.completions:
            raise AnswerFailed("the script is over")
        return self.completions.pop(0)

    async def describe(self, image: bytes, context: str) -> str:
        self.images.append((image, context))
        description = self.descriptions.pop(0)
        if isinstance(description, DescriptionFailed):
            raise description
        return description


class HashEmbedder:
    """Gives texts that share words like vectors, at no cost."""

    dimensions = 64

    def embed(self, texts: Sequence[str]) -> Vectors:
        vectors = np.full((len(texts), self.dimensions), 1e-3, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                place = int.from_bytes(hashlib.sha256(word.encode()).digest()[:4]) % self.dimensions
                vectors[row, place] += 1
        norms: Vectors = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / norms, dtype=np.float32)
