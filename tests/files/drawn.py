"""Pictures with words, drawn for the tests, as a scanner or a program makes them."""

import io
import random

from PIL import Image, ImageDraw, ImageFont

DELIVERY_NOTE = [
    ["DELIVERY NOTE"],
    [],
    ["Northline delivered these goods to gate 3."],
    [],
    ["Article", "Name", "Pieces"],
    ["LN-100", "Storm lantern", "24"],
    ["LN-200", "Deck lamp", "12"],
    ["LN-300", "Signal lamp", "3"],
    [],
    ["Received by Ana Ruiz on 5 March 2024."],
]

RECEIPT = [
    ["HARBOUR LIGHT LTD"],
    ["14 Dock Road, Bristol"],
    [],
    ["Storm lantern", "24.50"],
    ["Deck lamp", "61.00"],
    ["TOTAL", "85.50"],
    [],
    ["Thank you for your visit"],
]

LAMPS_SOLD = {"Jan": 310, "Feb": 365, "Mar": 280, "Apr": 330}


def draw_chart(title: str = "Lamps sold in 2024") -> Image.Image:
    """Draw a chart of bars, as programs export it to a picture."""
    chart = Image.new("RGB", (640, 420), "white")
    draw = ImageDraw.Draw(chart)
    font = ImageFont.load_default(22)
    draw.text((200, 12), title, fill="black", font=font)
    draw.line((80, 60, 80, 360), fill="black", width=2)
    draw.line((80, 360, 620, 360), fill="black", width=2)
    for number, (month, sold) in enumerate(LAMPS_SOLD.items()):
        left = 110 + 130 * number
        draw.rectangle((left, 360 - sold * 0.75, left + 80, 360), fill="steelblue")
        draw.text((left + 15, 370), month, fill="black", font=font)
        draw.text((left + 20, 330 - sold * 0.75), str(sold), fill="black", font=font)
    return chart


def draw_lines(lines: list[list[str]], size: tuple[int, int], letters: int) -> Image.Image:
    """Draw lines as a scanner sees them; the parts of a line stand in columns."""
    picture = Image.new("L", size, "white")
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(letters)
    columns = {1: [0.08], 2: [0.08, 0.68], 3: [0.08, 0.35, 0.75]}
    for number, line in enumerate(lines):
        for place, text in zip(columns.get(len(line), []), line, strict=True):
            draw.text((place * size[0], (2 + 1.6 * number) * letters), text, "black", font)
    return picture


def png_of(words: str, height: int = 300) -> io.BytesIO:
    """Return a picture of one line, as a file."""
    content = io.BytesIO()
    draw_lines([[words]], (640, height), 28).save(content, "PNG")
    content.seek(0)
    return content


def draw_unknown_letters() -> Image.Image:
    """Draw three lines in a script that nobody reads: its letters are strokes at random."""
    pen = random.Random(1)
    corners = [(x, y) for x in (0, 9, 18) for y in (0, 12, 24)]
    alphabet = [[pen.sample(corners, 2) for _ in range(4)] for _ in range(24)]
    picture = Image.new("RGB", (500, 200), "white")
    draw = ImageDraw.Draw(picture)
    for y in (20, 74, 128):
        x = 20
        while x < 400:
            for _ in range(pen.randint(4, 9)):
                for (left, top), (right, bottom) in pen.choice(alphabet):
                    draw.line((x + left, y + top, x + right, y + bottom), fill="black", width=3)
                x += 23
            x += 17
    return picture
