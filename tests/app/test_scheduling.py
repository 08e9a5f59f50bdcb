import os
import subprocess
import sys

import pytest

from tests.conftest import FILES

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has turns to ask for")
PROGRAM = """
import os
from app.scheduling import take_longer_turns
print(take_longer_turns(), os.sched_getscheduler(0) == os.SCHED_BATCH, os.nice(0))
"""


@needs_linux
def test_a_process_gets_longer_turns_and_stays_as_nice_as_it_was() -> None:
    environment = {**os.environ, "PYTHONPATH": str(FILES.parents[1])}
    command = ["nice", "-n", "7", sys.executable, "-c", PROGRAM]

    output = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    assert output.stdout.split() == ["True", "True", str(os.nice(0) + 7)]
