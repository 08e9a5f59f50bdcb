"""Which lines of a cited passage have what the answer says: a person looks at these first."""

import re
from collections.abc import Iterator, Sequence

from agents.grounding import Evidence, Verdict
from indexing.types import NO_PAGE, Chunk

MOST_LINES = 6
"""Lines that one sentence of an answer is looked for in together."""

LONGEST_PASSAGE = 80
"""Lines; of a longer passage all are cited."""

NO_WORSE = 0.05
"""The share of a sentence's words that fewer lines may have less of, and still are preferred."""

_KEY = re.compile(r"\s*<source_id=\d+>")


def cited_lines(sentences: Sequence[str], passage: str, file_name: str) -> list[str]:
    """Return the parts of a passage, verbatim, that have what the sentences say, in its order.

    The sentences are as they were sent, with keys. Each part is one line or a few in a row. Where a
    sentence's words are not found together, the whole passage is returned: it is what was cited.
    """
    lines = passage.split("\n")
    if len(lines) > LONGEST_PASSAGE:
        return [passage]
    runs = list(_runs(len(lines)))
    texts = ["\n".join(lines[first:end]) for first, end in runs]
    evidence = Evidence([Chunk("", "", file_name, NO_PAGE, text) for text in texts])
    found: set[int] = set()
    for sentence in (_KEY.sub("", sentence) for sentence in sentences):
        best, support = evidence.best_passage(sentence)
        if support.verdict is Verdict.UNSUPPORTED:
            return [passage]
        enough = support.share - NO_WORSE
        each = (evidence.support(sentence, [number]) for number in range(1, best))
        # The shorter runs come first: what has nearly as much in fewer lines says it more exactly.
        have = (one.verdict is support.verdict and one.share >= enough for one in each)
        found.add(next((number for number, has in enumerate(have) if has), best - 1))
    return [texts[number] for number in sorted(found, key=runs.__getitem__)] or [passage]


def _runs(count: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of lines, the shorter ones first, as their first line and the one behind."""
    for length in range(1, min(count, MOST_LINES) + 1):
        for first in range(count - length + 1):
            yield first, first + length
