"""The documents that the clients upload: each with a word that no other holds."""

import random
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.files.make_files import draw_lines

FILES = Path(__file__).parents[2] / "tests" / "files"

# Where an own word is put into a text, so that no two uploads hold the same bytes.
PLACES = {
    "inventory-notes.md": b"spare wicks",
    "lamp-oil.txt": b"Halle 2",
    "price-list.csv": b"Deck lamp",
    "opening-hours.html": b"Dock Road",
    "delivery.eml": b"forty lanterns",
    "letter.rtf": b"roofer",
}
# These are uploaded as they are: a word that each holds, and its page where that is known.
WHOLE_FILES = {
    "warehouse-lease.pdf": ("deposit", 2),
    "quarterly-review.pptx": ("returns", 2),
    "price-list.xlsx": ("signal", None),
    "supplier-handbook.docx": ("carrier", None),
}
WORDS = ("deposit", "lamp", "tenant", "rent", "gate", "repair", "policy", "carrier", "invoice")


@dataclass(frozen=True, slots=True)
class Document:
    """An upload, and how to find it again."""

    engine_id: str
    name: str
    content: bytes
    word: str
    page: int | None = None  # where the word stands, if that is known
    page_count: int | None = None


def make_document(engine_id: str, rng: random.Random) -> Document:
    """Return a document of some kind, most of them small."""
    kind = rng.random()
    if kind < 0.08:
        name = rng.choice([*WHOLE_FILES])
        word, page = WHOLE_FILES[name]
        return Document(engine_id, name, (FILES / name).read_bytes(), word, page)
    word = "".join(rng.choice(letters) for letters in ("bdfgklmnprtvz", "aou") * 6)
    if kind < 0.4:
        name = rng.choice([*PLACES])
        content = (FILES / name).read_bytes()
        return Document(engine_id, name, content.replace(PLACES[name], word.encode()), word)
    if kind < 0.43:
        page_count = rng.randint(8, 12)
        page = rng.randint(1, page_count)
        content = make_scan(word, page, page_count, rng)
        return Document(engine_id, f"{word}.pdf", content, word, page, page_count)
    page_count = rng.choices(
        [rng.randint(1, 3), rng.randint(4, 12), rng.randint(13, 60)], [60, 30, 10]
    )[0]
    page = rng.randint(1, page_count)
    content = make_pdf(word, page, page_count, rng)
    return Document(engine_id, f"{word}.pdf", content, word, page, page_count)


def make_scan(word: str, page: int, page_count: int, rng: random.Random) -> bytes:
    """Return a PDF of pictures, several of which are read at once; the word is typed on one."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=A4)
    for number in range(1, page_count + 1):
        lines = [[" ".join(rng.choices(WORDS, k=4))] for _ in range(3)]
        canvas.drawImage(ImageReader(draw_lines(lines, (800, 800), 32)), 60, 200, 400, 400)
        if number == page:
            canvas.drawString(60, 760, f"The {word} of the tenant.")
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def make_pdf(word: str, page: int, page_count: int, rng: random.Random) -> bytes:
    """Return a PDF of plain lines, with the word on one of its pages."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=A4)
    for number in range(1, page_count + 1):
        for line in range(4):
            words = rng.choices(WORDS, k=9)
            if (number, line) == (page, 2):
                words[4] = word
            canvas.drawString(60, 760 - 16 * line, f"{' '.join(words).capitalize()}.")
        canvas.showPage()
    canvas.save()
    return file.getvalue()
