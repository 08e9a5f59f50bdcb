import pytest

from benchmarks.soak import Sample, grown


@pytest.mark.parametrize(
    ("megabytes", "expected"),
    [
        pytest.param([100, 500, 500, 500], 1.0, id="flat once it is warm"),
        pytest.param([500, 500, 600, 700], 1.4, id="growing"),
        pytest.param([500, 700], 1.0, id="too short to tell"),
    ],
)
def test_growth_is_of_the_last_quarter_over_the_second(
    megabytes: list[float], expected: float
) -> None:
    samples = [Sample(at, one, 0, 0) for at, one in enumerate(megabytes)]

    assert grown(samples) == pytest.approx(expected)
