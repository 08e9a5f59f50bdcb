"""Choose among the ranked candidates what an answer consists of, and put it into words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from agents.extractive.answer_types import is_broad
from agents.extractive.candidates import Candidate
from agents.extractive.question import Question
from agents.extractive.ranking import Floats
from agents.sentences import Unit, UnitKind
from indexing.embedding import Vectors

MAX_SENTENCES = 4
MAX_ITEMS = 8

# Scores are logarithms of odds: a sentence this far below the best is this much less likely.
CLOSE_SCORE = 0.8
RELATED_SCORE = 1.5

SAME_COSINE = 0.93


@dataclass(frozen=True, slots=True)
class ExtractedSentence:
    """A sentence, list item or table row of a passage; the cells of a row are named."""

    text: str
    passage: int  # index into the passages given


def select_sentences(
    asked: Question, candidates: Sequence[Candidate], scores: Floats, vectors: Vectors
) -> tuple[ExtractedSentence, ...]:
    """Return the sentences of the answer in reading order, the best one's passage first."""
    return tuple(_in_reading_order(asked, _choose(asked, candidates, scores, vectors)))


def _choose(
    asked: Question, candidates: Sequence[Candidate], scores: Floats, vectors: Vectors
) -> list[Candidate]:
    """Take the best and, as far as the question is broad, what is nearly as good and new."""
    order = np.argsort(-scores, kind="stable")
    best = candidates[order[0]]
    broad = is_broad(asked.text)
    if whole := _whole_list(asked, best, candidates, broad=broad):
        return whole
    limit, distance = (MAX_SENTENCES, RELATED_SCORE) if broad else (2, CLOSE_SCORE)
    # A date, a number, a name and a cell stand in one place.
    if not broad and (asked.expected is not None or best.unit.cells):
        limit = 1
    chosen = [order[0]]
    for number in order[1:]:
        if len(chosen) == limit or scores[number] < scores[order[0]] - distance:
            break
        if (vectors[chosen] @ vectors[number]).max() < SAME_COSINE:
            chosen.append(number)
    return [candidates[number] for number in chosen]


def _whole_list(
    asked: Question, best: Candidate, candidates: Sequence[Candidate], *, broad: bool
) -> list[Candidate]:
    """Return all items when the question asks for what their announcing line announces."""
    if best.unit.kind is not UnitKind.ITEM or not best.unit.lead:
        return []
    announced = asked.coverage(asked.terms_of(best.unit.lead))
    if not broad and announced <= asked.coverage(best.own_terms):
        return []
    same = [
        one
        for one in candidates
        if (one.passage, one.unit.kind, one.unit.lead)
        == (best.passage, UnitKind.ITEM, best.unit.lead)
    ]
    return same[:MAX_ITEMS]


def _in_reading_order(asked: Question, chosen: Sequence[Candidate]) -> Iterator[ExtractedSentence]:
    """Order by passage, the best sentence's first, and by place within it; a list gets its lead."""
    passages = list(dict.fromkeys(one.passage for one in chosen))
    announced = ""
    for one in sorted(chosen, key=lambda one: (passages.index(one.passage), one.position)):
        lead = one.unit.lead if one.unit.kind is UnitKind.ITEM else ""
        if lead and lead != announced and len(chosen) > 1:
            yield ExtractedSentence(lead, one.passage)
            announced = lead
        yield ExtractedSentence(_asked_cells(asked, one.unit), one.passage)


def _asked_cells(asked: Question, unit: Unit) -> str:
    """Return the unit's text, of a row only the cells whose columns the question names."""
    if not unit.cells:
        return unit.text
    label, *cells = unit.cells
    columns = [asked.terms_of(cell.column) for cell in cells]
    shared = frozenset.intersection(*columns) if len(columns) > 1 else frozenset()
    fits = [asked.coverage(column - shared) for column in columns]
    named = [cell for cell, fit in zip(cells, fits, strict=True) if fit and fit == max(fits)]
    return "; ".join(map(str, [label, *named])) if named else unit.text
