"""Texts, queries and vectors by the thousand, the same in every run.

The words are those of the help texts that Python carries. To embed 100,000 texts takes an hour, so
most vectors are mixed from those of real texts, with noise: near enough to what a search meets.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO
from pydoc_data.topics import topics

import numpy as np
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.embedding import Vectors

PARAGRAPH_CHARACTERS = 700
LINE_CHARACTERS = 90
LINE_POINTS = 14
NOISE = 0.5
"""Length of the noise beside mixed vectors of length 1."""


def paragraphs(count: int) -> Iterator[str]:
    """Yield texts of a chunk's size, mixed from sentences."""
    sentences = _text().split(". ")
    chosen = random.Random(1)
    for _ in range(count):
        paragraph = ""
        while len(paragraph) < PARAGRAPH_CHARACTERS:
            paragraph += f"{chosen.choice(sentences)[: PARAGRAPH_CHARACTERS // 3]}. "
        yield paragraph


def queries() -> Iterator[str]:
    """Yield queries without end, all different: a few words as they stand in the texts."""
    words = _text().split()
    chosen = random.Random(2)
    seen: set[str] = set()
    while True:
        start = chosen.randrange(len(words) - 10)
        query = " ".join(words[start : start + chosen.randint(4, 10)])
        if query not in seen:
            seen.add(query)
            yield query


def resampled(real: Vectors, count: int) -> Vectors:
    """Return vectors of length 1: the real ones, then mixtures of two of them with noise."""
    chosen = np.random.default_rng(1)
    further = max(0, count - len(real))
    one, other = (real[chosen.integers(0, len(real), further)] for _ in range(2))
    share = chosen.random((further, 1), dtype=np.float32)
    width = real.shape[1]
    noise = chosen.standard_normal((further, width), dtype=np.float32) * NOISE / np.sqrt(width)
    mixed = share * one + (1 - share) * other
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    mixed += noise.astype(np.float32)
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
    return np.concatenate((real[:count], mixed))


def pdf(texts: Sequence[str]) -> bytes:
    """Write a PDF with each text on a page of its own."""
    content = BytesIO()
    canvas = Canvas(content, pagesize=A4)
    for text in texts:
        lines = canvas.beginText(50, A4[1] - 60)
        lines.setLeading(LINE_POINTS)
        for start in range(0, len(text), LINE_CHARACTERS):
            lines.textLine(text[start : start + LINE_CHARACTERS])
        canvas.drawText(lines)
        canvas.showPage()
    canvas.save()
    return content.getvalue()


@cache
def _text() -> str:
    return " ".join(" ".join(topics[name].split()) for name in sorted(topics))
