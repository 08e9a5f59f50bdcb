import time
from math import inf

import pytest

from indexing.partition.office.time_to_look import TimeToLook


def test_without_a_document_time_has_no_end() -> None:
    assert not TimeToLook().is_over()


@pytest.mark.parametrize(
    ("seconds", "page_seconds", "is_over"),
    [(60, 60, False), (inf, inf, False), (-1, 60, True), (60, -1, True)],
)
def test_time_is_over_when_that_of_the_document_or_of_its_page_is(
    seconds: float, page_seconds: float, is_over: bool
) -> None:
    time_to_look = TimeToLook()

    time_to_look.begin(seconds, page_seconds)

    assert time_to_look.is_over() == is_over


def test_each_page_has_time_of_its_own_within_that_of_the_document() -> None:
    time_to_look = TimeToLook()
    time_to_look.begin(60, 1)
    while not time_to_look.is_over():
        time.sleep(0.05)

    time_to_look.begin_page()

    assert not time_to_look.is_over()


def test_no_picture_is_begun_that_may_take_longer_than_there_is_time() -> None:
    time_to_look = TimeToLook()
    time_to_look.begin(60, 0.2)
    with time_to_look.looking():
        time.sleep(0.1)

    assert time_to_look.is_over()
