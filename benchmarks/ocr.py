"""How well receipts are read: word recall and precision, totals, time, and turned by quarters."""

import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from benchmarks.report import publish, table
from config.settings import prepare_library_environment
from indexing.ocr_models import Picture
from indexing.partition.pictures.image import open_image
from indexing.types import Block
from indexing.visual_layer import read_picture

RECEIPTS = Path(__file__).parents[2] / "shared" / "data" / "extraction" / "sroie"

TURNED_SHARE = 3  # every third receipt is read turned as well

HOW = """A word is a run of letters or digits, in lower case; the words of a receipt are compared as
a bag with those of its annotated lines, and summed over all receipts. A total is found when the
annotated amount stands in the text as it is written. Each receipt is opened from its file and read
as an upload is, up to its blocks, in one process with one thread."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """A receipt, and what stands on it as annotated by people."""

    path: Path
    text: str
    total: str


@dataclass(slots=True)
class Score:
    """Words counted over receipts."""

    common: int = 0
    annotated: int = 0
    read: int = 0
    totals: int = 0
    receipts: int = 0

    def add(self, receipt: Receipt, text: str) -> None:
        annotated, read = Counter(words(receipt.text)), Counter(words(text))
        self.common += (annotated & read).total()
        self.annotated += annotated.total()
        self.read += read.total()
        self.totals += receipt.total.replace(" ", "") in text.replace(" ", "")
        self.receipts += 1

    @property
    def recall(self) -> float:
        return self.common / self.annotated

    @property
    def precision(self) -> float:
        return self.common / self.read


def main() -> None:
    if not RECEIPTS.is_dir():
        print(f"Nothing to measure: {RECEIPTS} is not there.")
        return
    prepare_library_environment()
    receipts = load_receipts()
    started = time.process_time()
    read_picture(cv2.imread(str(receipts[0].path)))
    warm_up = time.process_time() - started
    upright, seconds = measure(receipts)
    subset = receipts[::TURNED_SHARE]
    turned = {quarters: measure_turned(subset, quarters) for quarters in range(4)}
    rows = [
        ("word recall", f"{upright.recall:.3f}", ">= 0.95"),
        ("word precision", f"{upright.precision:.3f}", ">= 0.95"),
        ("totals found", f"{upright.totals} of {upright.receipts}", ">= 0.97"),
        ("CPU seconds a receipt, mean", f"{sum(seconds) / len(seconds):.2f}", "<= 2"),
        ("CPU seconds a receipt, median", f"{median(seconds):.2f}", ""),
        ("CPU seconds a receipt, most", f"{max(seconds):.2f}", ""),
        ("CPU seconds to load the models and read the first", f"{warm_up:.2f}", ""),
    ]
    turns = [
        (
            f"{quarters * 90}°",
            f"{score.recall:.3f}",
            f"{turned[0].recall - score.recall:.3f}",
            f"{score.precision:.3f}",
        )
        for quarters, score in turned.items()
    ]
    publish(
        "ocr",
        "Text recognition on receipts",
        f"{len(receipts)} receipts of SROIE (development data). {HOW}".replace("\n", " "),
        table(("", "measured", "target"), rows),
        f"The same picture turned, {len(subset)} of the receipts; the target is a loss below 0.03:",
        table(("turned by", "word recall", "loss", "word precision"), turns),
    )


def load_receipts() -> list[Receipt]:
    """Return the receipts with their annotated lines and totals."""
    truths = {one["id"]: one for one in json_lines(RECEIPTS / "ground_truth.jsonl")}
    return [
        Receipt(
            RECEIPTS / one["file"],
            "\n".join(line["text"] for line in one["lines"]),
            truths[one["id"]]["fields"]["total"],
        )
        for one in json_lines(RECEIPTS / "ocr_lines.jsonl")
    ]


def json_lines(path: Path) -> Iterable[dict]:
    return map(json.loads, path.read_text().splitlines())


def measure(receipts: Sequence[Receipt]) -> tuple[Score, list[float]]:
    """Read the files as uploads are read; return the score and the CPU seconds of each."""
    score = Score()
    seconds = []
    for receipt in receipts:
        started = time.process_time()
        blocks = [block for page in open_image(receipt.path).pages for block in page.blocks]
        seconds.append(time.process_time() - started)
        score.add(receipt, text_of(blocks))
    return score, seconds


def measure_turned(receipts: Sequence[Receipt], quarters: int) -> Score:
    """Read the pictures turned counter-clockwise."""
    score = Score()
    for receipt in receipts:
        picture: Picture = cv2.imread(str(receipt.path))
        visible = read_picture(np.ascontiguousarray(np.rot90(picture, quarters)))
        score.add(receipt, text_of([placed.block for placed in visible.blocks]))
    return score


def text_of(blocks: Iterable[Block]) -> str:
    return "\n".join(f"{block.header}\n{block.text}" for block in blocks)


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


if __name__ == "__main__":
    main()
