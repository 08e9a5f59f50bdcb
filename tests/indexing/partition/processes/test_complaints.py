import os
from contextlib import suppress

import pytest

from indexing.partition.processes.complaints import heard


def test_what_is_said_where_errors_go_is_heard() -> None:
    with heard() as complaints:
        os.write(2, b"Bad code word at line 0\nBad code word at line 1\n")

    assert complaints.lines == (b"Bad code word at line 0", b"Bad code word at line 1")


def test_silence_is_heard_too() -> None:
    with heard() as complaints:
        pass

    assert complaints.lines == ()


def test_what_is_said_afterwards_goes_where_it_went_before(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with heard():
        os.write(2, b"within\n")
    os.write(2, b"afterwards\n")

    assert capfd.readouterr().err == "afterwards\n"


def test_nobody_waits_for_what_says_too_much() -> None:
    with heard() as complaints, suppress(BlockingIOError):
        while True:
            os.write(2, b"Bad code word\n")

    assert len(complaints.lines) > 1000
