"""Results as people and diffs read them: printed, and kept in `results/` as Markdown."""

import os
import platform
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import psutil

RESULTS = Path(__file__).parent / "results"


def publish(name: str, title: str, *sections: str) -> None:
    """Print the sections and write them to `results/<name>.md`."""
    # Said with every result, because nobody can read a time without it.
    load = f"load average at the end {os.getloadavg()[0]:.1f}"
    text = "\n\n".join([f"# {title}", f"Measured {today_here()}; {load}.", *sections])
    print(text)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(f"{text}\n")


def today_here() -> str:
    """Say when and on what this runs: `2026-01-31, 2 cores, 24 GiB, Python 3.11`."""
    memory = round(psutil.virtual_memory().total / 2**30)
    python = ".".join(platform.python_version_tuple()[:2])
    return f"{date.today()}, {os.cpu_count()} cores, {memory} GiB, Python {python}"


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Write a Markdown table; the lines of a cell are joined."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(value: object) -> str:
    text = f"{value:.1f}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", "; ")
