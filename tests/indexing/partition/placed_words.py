"""Words with their places, as those of a page, for tests of rows and columns."""

from indexing.partition.pdf.tables.cells import Word

LINE = 14.0


def line_of(number: float, *words: tuple[float, str]) -> list[Word]:
    """Return words that begin there, each letter five points wide and ten high."""
    top = LINE * number
    return [
        Word(text, int(number), x, top, x + 5 * len(text), top + 10, height=10, middle=top + 5)
        for x, text in words
    ]
