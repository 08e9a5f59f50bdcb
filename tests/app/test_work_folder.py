import os
import subprocess
import sys
import time
from pathlib import Path

from app.work_folder import delete_folders_of_the_dead, work_folder

WORK = """
import sys
from pathlib import Path
from app.work_folder import work_folder
with work_folder(Path(sys.argv[1]), "read-") as folder:
    (folder / "file").write_text("The rent is 900.")
    print(folder, flush=True)
    sys.stdin.read()
"""


def test_folder_is_private_and_goes_away(tmp_path: Path) -> None:
    with work_folder(tmp_path, "read-") as folder:
        assert folder.stat().st_mode & 0o777 == 0o700

    assert os.listdir(tmp_path) == []


def test_folder_of_a_process_that_was_killed_is_deleted(tmp_path: Path) -> None:
    killed = killed_at_work(tmp_path)
    grow_old(killed)

    assert delete_folders_of_the_dead(tmp_path) == 1
    assert os.listdir(tmp_path) == []


def test_folder_of_a_living_process_stays(tmp_path: Path) -> None:
    with work_folder(tmp_path, "read-") as folder:
        grow_old(folder)

        assert delete_folders_of_the_dead(tmp_path) == 0
        assert folder.is_dir()


def test_folder_that_was_just_made_stays(tmp_path: Path) -> None:
    """Its process may be about to lock it."""
    just_made = killed_at_work(tmp_path)

    assert delete_folders_of_the_dead(tmp_path) == 0
    assert (just_made / "file").is_file()


def test_where_nothing_was_worked_on_nothing_is_deleted(tmp_path: Path) -> None:
    assert delete_folders_of_the_dead(tmp_path / "work") == 0


def killed_at_work(work_dir: Path) -> Path:
    """Return the folder that a process was working in when it was killed."""
    command = [sys.executable, "-c", WORK, str(work_dir)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        process.kill()
    return folder


def grow_old(folder: Path) -> None:
    hour_ago = time.time() - 3600
    os.utime(folder / "lock", (hour_ago, hour_ago))
