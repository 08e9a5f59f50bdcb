import os
import subprocess
import sys
from pathlib import Path

from tests.readers import has_landlock

# The ban cannot be lifted again, so it is tried in a process of its own.
TRIAL = """
import sys
from pathlib import Path
from indexing.partition.processes.file_ban import ban_files

readable, writable, listable, other = map(Path, sys.argv[1:])
banned = ban_files(
    readable=[readable, Path("/nowhere")], writable=[writable], listable=[listable]
)
print("banned" if banned else "no ban")
for folder in (readable, writable, listable, other):
    try:
        list(folder.iterdir())
    except PermissionError:
        print(f"{folder.name} list refused")
    path = folder / "file"
    for mode in ("r", "w"):
        try:
            path.open(mode).close()
        except PermissionError:
            print(f"{path.parent.name} {mode} refused")
"""


def test_files_elsewhere_are_refused(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("readable", "writable", "listable", "other")]
    for folder in folders:
        folder.mkdir()
        (folder / "file").touch()

    tried = subprocess.run(
        [sys.executable, "-c", TRIAL, *map(str, folders)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[4])},
    )

    refused = [
        "readable w refused",
        "listable r refused",
        "listable w refused",
        "other list refused",
        "other r refused",
        "other w refused",
    ]
    assert tried.stdout.splitlines() == (["banned", *refused] if has_landlock() else ["no ban"])
