import socket
from pathlib import Path

import pytest

from benchmarks.kills.victims import Service


def test_a_service_that_does_not_start_says_why(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        service = Service(tmp_path / "data", taken.getsockname()[1])

        with pytest.raises(SystemExit, match="in use"):
            service.wait_until_up()
