"""What documents are read with: the embedding model, text recognition, LibreOffice and others."""

import subprocess
from collections.abc import Iterator

import numpy as np
from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidProtobuf, NoSuchFile
from PIL import Image, ImageDraw, ImageFont

from app.doctor.findings import Finding, ok, problem, warning
from config.settings import Settings
from indexing.embedding import MiniLMEmbedder
from indexing.partition.office.libreoffice import HOW_TO_INSTALL, find_soffice
from indexing.partition.pdf.calls import COMPILED
from indexing.partition.processes.allocator import jemalloc

DRAWN = "Invoice 4711"
_LIBREOFFICE_SECONDS = 60
_INSTALL_AGAIN = "Install the service again: what it needs comes with its packages."


def check_embedding(settings: Settings) -> Iterator[Finding]:
    """Embed a word."""
    try:
        embedder = MiniLMEmbedder(settings.models_dir, threads=1)
        length = float(np.linalg.norm(embedder.embed(["lease"])[0]))
    except (OSError, Fail, InvalidProtobuf, NoSuchFile, subprocess.CalledProcessError) as error:
        advice = f"Delete {settings.models_dir} while nothing runs; it is made again."
        yield problem("embedding", f"the model does not load: {_first_line(error)}", advice)
        return
    if abs(length - 1) > 0.01:
        yield problem("embedding", f"a vector has length {length:.2f}, not 1", _INSTALL_AGAIN)
    else:
        yield ok("embedding", "the model embeds a word")


def check_recognition(settings: Settings) -> Iterator[Finding]:
    """Draw two words, and see whether they are recognised."""
    try:
        from indexing.ocr import RecognitionFailed, recognize
    except ImportError as error:
        yield problem("text recognition", f"does not load: {error}", _INSTALL_AGAIN)
        return
    try:
        reading = recognize(np.asarray(_picture(), dtype=np.uint8))
    except (RecognitionFailed, OSError) as error:
        yield problem("text recognition", str(error), _INSTALL_AGAIN)
        return
    read = " ".join(line.text for line in reading.lines)
    if read != DRAWN:
        yield problem("text recognition", f"reads {read!r} for {DRAWN!r}", _INSTALL_AGAIN)
    else:
        yield ok("text recognition", "reads a drawn word")


def check_libreoffice(settings: Settings) -> Iterator[Finding]:
    """Ask LibreOffice for its version; the service does without, for most formats."""
    program = find_soffice()
    if program is None:
        text = "is not installed: doc and ppt are not read, and pages of office files not drawn"
        yield warning("LibreOffice", text, HOW_TO_INSTALL)
        return
    try:
        asked = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_LIBREOFFICE_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        yield warning("LibreOffice", f"does not run: {error}", HOW_TO_INSTALL)
        return
    if asked.returncode != 0 or not asked.stdout.strip():
        yield warning("LibreOffice", f"does not run: {asked.stderr.strip()}", HOW_TO_INSTALL)
    else:
        yield ok("LibreOffice", asked.stdout.split(maxsplit=1)[1].strip()[:60])


def check_tesseract(settings: Settings) -> Iterator[Finding]:
    """Say which letters in pictures are read by Tesseract; the service does without."""
    from indexing.tesseract import readable_scripts

    scripts = readable_scripts()
    if scripts:
        yield ok("Tesseract", f"reads {', '.join(scripts)} in pictures")
    else:
        yield ok("Tesseract", "is not installed, or has no data: it reads further scripts in scans")


def check_jemalloc(settings: Settings) -> Iterator[Finding]:
    """Say what readers take their memory from; the service does without."""
    if jemalloc():
        yield ok("jemalloc", "readers take their memory from it")
    else:
        text = "is not installed; with it texts take some percent less time, scans a sixth"
        yield ok("jemalloc", f"{text} (Debian: apt install libjemalloc2)")


def check_calls(settings: Settings) -> Iterator[Finding]:
    """Say whether the loops in which PDFium is called are in C; the service does without."""
    if COMPILED.exists():
        yield ok("calls of PDFium", "are compiled")
    else:
        text = "are not compiled; with a C compiler PDFs take some percent less time"
        how = "Debian: apt install gcc libc6-dev, then scripts/compile-calls .venv"
        yield ok("calls of PDFium", f"{text} ({how})")


def _picture() -> Image.Image:
    picture = Image.new("RGB", (420, 120), "white")
    ImageDraw.Draw(picture).text((30, 30), DRAWN, "black", ImageFont.load_default(48))
    return picture


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
