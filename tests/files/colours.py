"""A PDF whose pages can be told apart by their colour."""

from io import BytesIO

from PIL import Image
from reportlab.pdfgen.canvas import Canvas

Pixel = tuple[int, ...]

RED: Pixel = (255, 0, 0)
GREEN: Pixel = (0, 255, 0)
BLUE: Pixel = (0, 0, 255)


def coloured_pdf(*colours: Pixel, size: tuple[float, float] = (595, 842)) -> bytes:
    """Return a PDF with a page of each colour."""
    file = BytesIO()
    canvas = Canvas(file, pagesize=size)
    for colour in colours:
        canvas.setFillColorRGB(*(part / 255 for part in colour))
        canvas.rect(0, 0, *size, stroke=0, fill=1)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def coloured_png(colour: Pixel, size: tuple[int, int] = (30, 40)) -> bytes:
    """Return a picture of one colour."""
    file = BytesIO()
    Image.new("RGB", size, colour).save(file, "PNG")
    return file.getvalue()


def colour_of(png: bytes, at: tuple[float, float] = (0.5, 0.5)) -> Pixel:
    """Return the colour of a picture at a place, given in shares of its width and height."""
    with Image.open(BytesIO(png)) as image:
        found = image.convert("RGB").getpixel((int(at[0] * image.width), int(at[1] * image.height)))
    assert isinstance(found, tuple)
    return found
