import pytest

from indexing.partition.sheets.iso_moments import plain_moment


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("2024-05-03T00:00:00", "2024-05-03", id="day"),
        pytest.param("2024-05-03T00:00:00.000Z", "2024-05-03", id="day by SheetJS"),
        pytest.param("2024-05-03T08:30:00.000Z", "2024-05-03 08:30:00Z", id="moment of UTC"),
        pytest.param("2024-05-03T08:30:00", "2024-05-03 08:30:00", id="moment"),
        pytest.param("1899-12-30T14:30:00.000", "14:30:00", id="time"),
        pytest.param("2024-05-03", "2024-05-03", id="date"),
        pytest.param("since 2024-05-03T00:00:00", "since 2024-05-03T00:00:00", id="words"),
    ],
)
def test_a_moment_is_written_as_a_person_types_it(text: str, shown: str) -> None:
    assert plain_moment(text) == shown
