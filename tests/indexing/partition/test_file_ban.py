import os
import subprocess
import sys
from pathlib import Path

import pytest

# The ban cannot be lifted again, so it is tried in a process of its own.
TRIAL = """
import sys
from pathlib import Path
from indexing.partition.file_ban import ban_files

readable, writable, other = map(Path, sys.argv[1:])
if not ban_files(readable=[readable, Path("/nowhere")], writable=[writable]):
    sys.exit("no ban")
for path in (readable / "file", writable / "file", other / "file"):
    for mode in ("r", "w"):
        try:
            path.open(mode).close()
        except PermissionError:
            print(f"{path.parent.name} {mode} refused")
"""


def test_files_elsewhere_are_refused(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("readable", "writable", "other")]
    for folder in folders:
        folder.mkdir()
        (folder / "file").touch()

    tried = subprocess.run(
        [sys.executable, "-c", TRIAL, *map(str, folders)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
    )

    if tried.stderr == "no ban\n":
        pytest.skip("this system has no Landlock")
    assert tried.stdout.splitlines() == [
        "readable w refused",
        "other r refused",
        "other w refused",
    ]
