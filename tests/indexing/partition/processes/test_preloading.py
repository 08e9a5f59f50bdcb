import subprocess
import sys

LOADS = "import gc, indexing.partition.processes.preloading; print(gc.isenabled())"


def test_nothing_is_looked_for_in_what_is_loaded_next() -> None:
    loaded = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True)

    assert loaded.stdout == "False\n", loaded.stderr
