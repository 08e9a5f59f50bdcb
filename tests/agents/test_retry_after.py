import time
from email.utils import formatdate

import pytest

from agents.retry_after import retry_after


class Refused(Exception):
    """An error as LiteLLM raises it."""

    def __init__(self, **headers: str) -> None:
        super().__init__()
        self.litellm_response_headers = {
            name.replace("_", "-"): value for name, value in headers.items()
        }


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        pytest.param(Refused(retry_after="7"), 7, id="seconds"),
        pytest.param(Refused(retry_after="0.5"), 0.5, id="half a second"),
        pytest.param(Refused(retry_after="-3"), 0, id="before now"),
        pytest.param(Refused(retry_after=formatdate(0, usegmt=True)), 0, id="a date gone by"),
        pytest.param(Refused(retry_after="soon"), None, id="no time"),
        pytest.param(Refused(retry_after="inf"), None, id="for ever"),
        pytest.param(Refused(retry_after="nan"), None, id="no number"),
        pytest.param(Refused(server="x"), None, id="not said"),
        pytest.param(ValueError(), None, id="no headers"),
    ],
)
def test_wait_is_what_the_provider_asks_for(error: Exception, seconds: float | None) -> None:
    assert retry_after(error) == seconds


def test_date_to_come_is_as_far_away_as_it_is() -> None:
    asked = retry_after(Refused(retry_after=formatdate(time.time() + 10_000, usegmt=True)))

    assert asked is not None
    assert 9_000 < asked <= 10_000
