import pytest

from extraction.built_in.durations import durations
from tests.extraction.built_in.pages import passages


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("for a period of two (2) years", "2 years"),
        ("eighteen (18) months from the date", "18 months"),
        ("upon the two-year anniversary", "2 years"),
        ("on the first anniversary", "1 year"),
        ("for 30 days", "30 days"),
        ("for a term of one year", "1 year"),
        ("Laufzeit: 24 Monate", "24 Monate"),
    ],
)
def test_a_duration_is_written_with_a_number(text: str, duration: str) -> None:
    assert [one.value for one in durations(passages(text))] == [duration]


def test_a_unit_without_a_number_is_none() -> None:
    assert not list(durations(passages("for many years - - - - - ---------- and days")))
