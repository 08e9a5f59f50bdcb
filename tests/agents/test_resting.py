from agents.resting import Rest


def test_service_is_left_alone_after_a_failure() -> None:
    rest = Rest(seconds=1000)
    assert not rest.is_on

    rest.begin()

    assert rest.is_on


def test_rest_ends_by_itself() -> None:
    rest = Rest(seconds=0)

    rest.begin()

    assert not rest.is_on
