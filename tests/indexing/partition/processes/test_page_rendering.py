import io
from pathlib import Path

import pytest
from PIL import Image

from indexing.partition.formats import DocumentFormat
from indexing.partition.processes.isolation import ReadLimits
from indexing.partition.processes.page_renderer import LONGEST_SIDE, PDF, PNG
from indexing.partition.processes.page_rendering import render_page
from indexing.partition.unreadable import DocumentUnreadable
from tests.files.colours import BLUE, GREEN, RED, colour_of, coloured_pdf
from tests.files.make_hostile import hostile_files
from tests.libreoffice import needs_libreoffice
from tests.readers import readers

FILES = Path(__file__).parents[3] / "files"
HOSTILE = {hostile.name: hostile for hostile in hostile_files()}
LIMITS = ReadLimits(wall_seconds=60, cpu_seconds=60, memory_bytes=1 << 30)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "made"
    path.mkdir()
    return path


async def rendered(
    content: bytes, file_format: DocumentFormat, number: int, folder: Path
) -> bytes | None:
    """Draw a page and return its picture, None where there is no such page."""
    path = folder.parent / "file"
    path.write_bytes(content)
    is_there = await render_page(path, file_format, number, folder=folder, limits=LIMITS)
    return (folder / PNG).read_bytes() if is_there else None


@pytest.mark.parametrize(("number", "colour"), [(1, RED), (2, GREEN), (3, BLUE)])
async def test_page_of_a_pdf_is_drawn(number: int, colour: tuple[int, ...], folder: Path) -> None:
    png = await rendered(coloured_pdf(RED, GREEN, BLUE), DocumentFormat.PDF, number, folder)

    assert png is not None
    assert colour_of(png) == colour
    assert Image.open(io.BytesIO(png)).size == (1131, LONGEST_SIDE)


@pytest.mark.parametrize("size", [(20, 30), (14_000, 9_000), (3, 14_000)], ids=str)
async def test_page_of_any_size_is_drawn_in_bounded_size(
    size: tuple[float, float], folder: Path
) -> None:
    png = await rendered(coloured_pdf(RED, size=size), DocumentFormat.PDF, 1, folder)

    assert png is not None
    assert max(Image.open(io.BytesIO(png)).size) == LONGEST_SIDE


@pytest.mark.parametrize(("number", "colour"), [(1, RED), (2, BLUE)])
async def test_page_of_a_tiff_is_a_frame_of_it(
    number: int, colour: tuple[int, ...], folder: Path
) -> None:
    file = io.BytesIO()
    further = [Image.new("RGB", (40, 30), BLUE)]
    Image.new("RGB", (40, 30), RED).save(file, "TIFF", save_all=True, append_images=further)

    png = await rendered(file.getvalue(), DocumentFormat.TIFF, number, folder)

    assert png is not None
    assert colour_of(png) == colour


async def test_picture_is_turned_upright_and_made_smaller(folder: Path) -> None:
    photograph = Image.new("RGB", (4000, 3000), RED)
    photograph.getexif()[0x0112] = 6  # The camera lay on its side.
    file = io.BytesIO()
    photograph.save(file, "JPEG", exif=photograph.getexif())

    png = await rendered(file.getvalue(), DocumentFormat.JPG, 1, folder)

    assert png is not None
    assert Image.open(io.BytesIO(png)).size == (1200, 1600)


@needs_libreoffice
@pytest.mark.parametrize(
    ("name", "pages"), [("supplier-handbook.docx", 2), ("quarterly-review.pptx", 3)]
)
async def test_page_of_an_office_document_is_drawn_with_the_pdf_of_all_its_pages(
    name: str, pages: int, folder: Path
) -> None:
    file_format = DocumentFormat(name.rpartition(".")[2])
    png = await rendered((FILES / name).read_bytes(), file_format, pages, folder)
    pdf = (folder / PDF).read_bytes()

    assert png is not None
    assert await rendered(pdf, DocumentFormat.PDF, pages, folder) == png
    assert await rendered(pdf, DocumentFormat.PDF, pages + 1, folder) is None


@pytest.mark.parametrize("name", ["warehouse-lease.pdf", "receipt.png", "fax.tiff"])
async def test_page_behind_the_last_is_not_there(name: str, folder: Path) -> None:
    file_format = DocumentFormat(name.rpartition(".")[2])

    assert await rendered((FILES / name).read_bytes(), file_format, 4, folder) is None


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("flate bomb.pdf", "MB of memory"),
        ("drawing of itself.pdf", "MB of memory"),
        ("promise.png", "cannot be read"),
        ("half of fax.tiff", "cannot be read"),
    ],
)
async def test_hostile_file_costs_no_more_than_its_process(
    name: str, says: str, folder: Path
) -> None:
    file_format = DocumentFormat(name.rpartition(".")[2])

    with pytest.raises(DocumentUnreadable, match=says):
        await rendered(HOSTILE[name].make(), file_format, 1, folder)
    assert readers() == []


async def test_drawing_ends_at_its_deadline(folder: Path) -> None:
    limits = ReadLimits(wall_seconds=0.01, cpu_seconds=60, memory_bytes=1 << 30)
    lease = FILES / "warehouse-lease.pdf"

    with pytest.raises(DocumentUnreadable, match=r"took longer than 0\.01 s"):
        await render_page(lease, DocumentFormat.PDF, 1, folder=folder, limits=limits)
    assert readers() == []
