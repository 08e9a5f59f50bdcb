"""What stands at the process edge in tests: the model that speaks, and the one that embeds."""

import hashlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from agents.prompts import Message
from config.errors import ServiceError
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

    async def warm_up(self) -> None:
        """Nothing has to be loaded."""

    async def stream(self, model: str, messages: Sequence[Message]) -> AsyncIterator[str]:
        self.models.append(model)
        self.prompts.append(messages)
        for word in self.answers.pop(0):
            if isinstance(word, ServiceError):
                raise word
            yield word

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
