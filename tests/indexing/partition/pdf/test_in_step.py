"""Work that is done in step."""

import time

import pytest

from indexing.partition.pdf.in_step import Steps, alone, in_step


def work(name: str, steps: int, done: list[str]) -> Steps[str]:
    for step in range(steps):
        done.append(f"{name}{step}")
        yield
    return name.upper()


def test_each_step_is_done_for_all_before_the_next_one() -> None:
    done: list[str] = []

    in_step([work("a", 2, done), work("b", 2, done)])

    assert done == ["a0", "b0", "a1", "b1"]


def test_what_is_made_comes_in_order_however_many_steps_it_took() -> None:
    made = in_step([work("a", 3, []), work("b", 0, []), work("c", 1, [])])

    assert [one.made for one in made] == ["A", "B", "C"]


def test_each_says_the_seconds_that_it_took_by_itself() -> None:
    def wait(seconds: float) -> Steps[None]:
        yield
        time.sleep(seconds)

    slow, quick = in_step([wait(0.05), wait(0)])

    assert slow.seconds >= 0.05 > quick.seconds


def test_what_one_raises_ends_them_all() -> None:
    def fail() -> Steps[str]:
        yield
        raise ValueError("the second step")

    done: list[str] = []
    with pytest.raises(ValueError, match="the second step"):
        in_step([fail(), work("a", 3, done)])
    assert done == ["a0"]


def test_work_alone_is_done_to_its_end() -> None:
    assert alone(work("a", 3, [])) == "A"
