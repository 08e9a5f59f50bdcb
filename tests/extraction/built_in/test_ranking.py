import numpy as np

from extraction.built_in.ranking import EMBEDDED, Reading, rank
from extraction.types import FieldType, Habit, RequestedField
from indexing.embedding import Vectors
from indexing.types import Block, BlockKind, Page
from tests.extraction.built_in.pages import RECEIPT, no_vectors, source

TOTAL = RequestedField("total", "Total amount of the receipt", FieldType.CURRENCY)
DATE = RequestedField("date", "Date of the receipt", FieldType.DATE)


def test_the_best_candidate_comes_first_with_its_evidence() -> None:
    best, *others = rank(TOTAL, [source(RECEIPT)], Habit(), no_vectors)

    assert best.value == 24.5
    assert best.evidence.text == "Total: 24.50"
    assert (best.page_number, best.source) == (1, 0)
    assert all(best.score > other.score for other in others)


def test_the_scores_leave_room_for_there_being_none() -> None:
    candidates = rank(TOTAL, [source(RECEIPT)], Habit(), no_vectors)

    assert 0 < sum(one.score for one in candidates) < 1


def test_a_value_is_one_candidate_however_often_it_stands_there() -> None:
    pages = source("Date: 14/08/2018\nDate: 15/08/2018\nDate: 14/08/2018")

    first, second = rank(DATE, [pages], Habit(day_first=True), no_vectors)

    assert (first.value, second.value) == ("2018-08-14", "2018-08-15")


def test_evidence_has_the_box_of_its_line() -> None:
    box = (0.1, 0.2, 0.3, 0.25)
    page = Page(1, (Block(BlockKind.TEXT, "Total 24.50", line_boxes=(box,)),))
    placed = source()

    (best,) = rank(TOTAL, [type(placed)("ds_1", "a.pdf", [page])], Habit(), no_vectors)

    assert best.evidence.box == box


def test_several_fields_are_embedded_in_one_call() -> None:
    calls: list[int] = []

    def embed(texts: list[str]) -> Vectors:
        calls.append(len(texts))
        return no_vectors(texts)

    Reading([source(RECEIPT)], Habit(), embed).rank_all([TOTAL, DATE])

    assert len(calls) == 1
    assert calls[0] <= 2 * (EMBEDDED + 1)


def test_a_sentence_that_is_near_to_the_field_is_preferred() -> None:
    pages = source("Fee: the first is 12.00 USD.\n\nFee: the second is 13.00 USD.")
    field = RequestedField("fee", "what it costs again", FieldType.CURRENCY)

    def embed(texts: list[str]) -> Vectors:
        near = [float("second" in text or "again" in text) for text in texts]
        return np.array([[one, 1 - one] for one in near], dtype=np.float32)

    assert rank(field, [pages], Habit(), embed)[0].value == 13
    assert rank(field, [pages], Habit(), no_vectors)[0].value == 12


def test_a_field_without_words_has_no_candidates() -> None:
    nameless = RequestedField("🚀", "", FieldType.CURRENCY)

    assert rank(nameless, [source(RECEIPT)], Habit(), no_vectors) == []
