from collections.abc import Sequence
from itertools import islice
from random import Random

from benchmarks.citations import PASSAGES, neighbourhoods
from indexing.types import Chunk


def chunks(topic: str) -> Sequence[Chunk]:
    return [
        Chunk(f"{topic}_{n}", topic, "a.txt", 1, f"{topic} lease, {topic} rent")
        for n in range(PASSAGES)
    ]


def test_passages_of_an_answer_share_their_words() -> None:
    groups = islice(neighbourhoods([*chunks("harbour"), *chunks("bakery")], Random(1)), 5)

    assert all(len({one.data_source_id for one in group}) == 1 for group in groups)
