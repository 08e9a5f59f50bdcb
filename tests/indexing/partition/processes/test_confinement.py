import subprocess
import sys
from pathlib import Path

import pytest

from indexing.partition.processes.confinement import confine
from tests.libreoffice import needs_libreoffice
from tests.readers import has_landlock

pytestmark = pytest.mark.skipif(not has_landlock(), reason="this system has no Landlock")

# What is out of reach stays so, so it is tried in a process of its own.
TRIAL = f"""
import sys
from pathlib import Path
from {confine.__module__} import confine
from indexing.partition.office import libreoffice

document, folder, other = map(Path, sys.argv[1:4])
confine(document, folder=folder, with_libreoffice=len(sys.argv) > 4)
{{}}
"""


@pytest.fixture
def places(tmp_path: Path) -> list[Path]:
    """A document, a folder to write to, and a document of somebody else beside."""
    document, folder, other = tmp_path / "mine", tmp_path / "folder", tmp_path / "other"
    document.write_text(r"{\rtf1 mine}")
    other.write_text("theirs")
    folder.mkdir()
    return [document, folder, other]


def tried(places: list[Path], code: str, *, with_libreoffice: bool = False) -> str:
    """Return what a process says that does this when it is confined."""
    words = [*map(str, places), *(["with"] if with_libreoffice else [])]
    command = [sys.executable, "-P", "-c", TRIAL.format(code), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr.strip().rpartition("\n")[2]


def test_document_can_be_read_and_the_folder_be_written_to(places: list[Path]) -> None:
    code = '(folder / "page").write_text(document.read_text()); print("written")'

    assert tried(places, code) == "written"


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("print(other.read_text())", id="another document"),
        pytest.param('(other.parent / "new").touch()', id="a file beside"),
        pytest.param("document.unlink()", id="no document any more"),
        pytest.param("list(other.parent.iterdir())", id="names of others"),
        pytest.param('print(Path("/etc/passwd").read_text())', id="the machine"),
        pytest.param('import os; print(open(f"/proc/{os.getppid()}/environ").read())', id="keys"),
        pytest.param("import socket; socket.socket()", id="network"),
        pytest.param("import socket; socket.socket(socket.AF_UNIX)", id="services beside"),
    ],
)
def test_all_else_is_out_of_reach(places: list[Path], code: str) -> None:
    assert tried(places, code).startswith("PermissionError: ")


@pytest.mark.parametrize("program", ["pdf.check", "pictures.check"])
@pytest.mark.parametrize("code", ["other.read_text()", "import socket; socket.socket()"])
def test_who_looks_at_an_upload_is_confined(places: list[Path], program: str, code: str) -> None:
    module = f"indexing.partition.{program}"
    trial = f"""
import runpy, sys
from pathlib import Path

other = Path(sys.argv[3])
runpy.run_module({module!r}, run_name="__main__")
{code}
"""
    command = [sys.executable, "-P", "-c", trial, *map(str, places)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.stdout == "damaged"
    assert "PermissionError" in done.stderr


def test_libraries_of_which_it_has_not_heard_yet_are_found(places: list[Path]) -> None:
    code = (
        "import sqlite3, config.errors, indexing.partition.mail.internet, pypdfium2; print('found')"
    )

    assert tried(places, code) == "found"


@needs_libreoffice
def test_libreoffice_works_beside_it(places: list[Path]) -> None:
    code = """
with libreoffice.converted(document, "rtf", ["pdf"]) as (pdf,):
    print(pdf.read_bytes()[:5], end=" ")
try:
    print(other.read_text())
except PermissionError:
    print("refused")
"""

    assert tried(places, code, with_libreoffice=True) == "b'%PDF-' refused"
