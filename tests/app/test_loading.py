import subprocess
import sys

LOADS = """
import gc
from app.loading import loading

try:
    with loading():
        print(gc.isenabled())
        raise ImportError
except ImportError:
    print(gc.isenabled(), gc.get_freeze_count() > 1_000)
"""


def test_nothing_that_is_loaded_is_looked_through_for_garbage() -> None:
    """In a process of its own, for what is there by then is passed over for good."""
    loaded = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True)

    assert loaded.stdout.split() == ["False", "True", "True"], loaded.stderr
