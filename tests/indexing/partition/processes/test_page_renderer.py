import json
import subprocess
import sys
from pathlib import Path

import pytest

from indexing.partition.processes import page_renderer
from indexing.partition.processes.page_renderer import LINES, PDF, PNG, RenderOrder
from tests.ke_process import wait_for
from tests.libreoffice import needs_libreoffice
from tests.readers import has_filter

FILES = Path(__file__).parents[3] / "files"


def program(folder: Path, name: str) -> "subprocess.Popen[str]":
    """Start to draw the first page of a document."""
    file_format = name.rpartition(".")[2]
    order = RenderOrder(str(FILES / name), file_format, 1, str(folder), 60, 1 << 30)
    return subprocess.Popen(
        [sys.executable, "-m", page_renderer.__name__, order.to_json()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_lines_come_with_their_places(tmp_path: Path) -> None:
    with program(tmp_path, "warehouse-lease.pdf") as drawing:
        assert drawing.stdout is not None
        assert json.loads(drawing.stdout.readline()) == ["drawn"]

    (text, box), *_ = json.loads((tmp_path / LINES).read_text())
    assert text == "WAREHOUSE LEASE"
    assert box == pytest.approx([0.1008, 0.0612, 0.2867, 0.0764], abs=0.001)
    assert {path.name for path in tmp_path.iterdir()} == {PNG, LINES}


@needs_libreoffice
def test_drawing_has_no_network_and_ends_when_nobody_waits_for_it(tmp_path: Path) -> None:
    with program(tmp_path, "supplier-handbook.docx") as drawing:
        wait_for(lambda: has_filter(drawing.pid))
        assert drawing.stdin is not None
        drawing.stdin.close()
        code = drawing.wait(timeout=10)

    assert code == 1
    assert not (tmp_path / PDF).exists()
