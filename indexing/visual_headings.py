"""Join headings over several columns in a picture with the names of these, where they repeat.

Without rules only such names tell how many columns a heading is over.
"""

from collections.abc import Sequence

from indexing.ocr import Line
from indexing.partition.tables import is_number

FEWEST = 2  # headings, and names below each


def joined_names(headings: Sequence[Line], names: Sequence[Line]) -> list[str]:
    """Return the names of columns with what stands above each; [] if the same do not repeat."""
    count, texts = len(headings), [name.text for name in names]
    if count < FEWEST or any(map(is_number, texts)) or len({one.text for one in headings}) < count:
        return []
    for width in range(len(names) // count, FEWEST - 1, -1):
        for first in range(len(names) - count * width + 1):
            groups = [names[at : at + width] for at in range(first, first + count * width, width)]
            repeats = len({tuple(name.text for name in group) for group in groups}) == 1
            if repeats and all(map(_is_within, headings, groups)):
                for heading, group in zip(headings, groups, strict=True):
                    at = names.index(group[0])
                    texts[at : at + width] = [f"{heading.text} {name.text}" for name in group]
                return texts
    return []


def _is_within(heading: Line, group: Sequence[Line]) -> bool:
    middle = (heading.left + heading.right) / 2
    return group[0].left < middle < group[-1].right
