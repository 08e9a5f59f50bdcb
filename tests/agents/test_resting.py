import pytest

from agents.resting import LONGEST_REST_SECONDS, REST_SECONDS, Rest


@pytest.mark.parametrize(
    ("asked", "seconds"),
    [
        pytest.param(None, REST_SECONDS, id="nothing"),
        pytest.param(0, REST_SECONDS, id="no time"),
        pytest.param(2, 2, id="a moment"),
        pytest.param(100, 100, id="minutes"),
        pytest.param(86_400, LONGEST_REST_SECONDS, id="a day"),
    ],
)
def test_service_is_left_alone_for_as_long_as_it_asks_for(
    asked: float | None, seconds: float
) -> None:
    now = 0.0
    rest = Rest(lambda: now)
    assert not rest.is_on

    rest.begin(asked)

    now = seconds - 0.1
    assert rest.is_on
    now = seconds
    assert not rest.is_on


def test_later_failure_makes_no_rest_shorter() -> None:
    now = 0.0
    rest = Rest(lambda: now)
    rest.begin(100)

    rest.begin()

    now = 99.0
    assert rest.is_on
