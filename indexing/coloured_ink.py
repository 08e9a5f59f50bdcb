"""Part what is stamped or written in coloured ink over the black letters of a picture.

Where one lies over the other they are found as one place, and neither can be read.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

import cv2
import numpy as np

from indexing.ocr_models import Mask, Picture
from indexing.text_places import Quads, detect

COLOUR = 60  # of 255, between the strongest and the weakest of the three colours
DARK = 128
LIGHT = 170  # What is as light as this is a ground, as of a marker pen.
STEP = 4
FEWEST = 0.0005  # of a picture
MIN_BLACK = 0.004  # of the place of a line; a stamp may be many times as large as what is below
MIN_INK, MAX_INK = 0.02, 0.4  # the same of coloured ink
MAX_INKED = 0.5  # the same of both, letters and a stamp; more is a dark ground with light letters
CROSSED = 0.2  # of the width that has the one ink or the other has both
HIGH = 0.5  # of the height of a place; a coloured rule is lower
PAPER_WITHIN = 25  # pixels
OVER = 0.2  # of the place of what is stamped over other lines has these below it
MOST = 0.5  # of the place of such a line, where a stamp is large
MARGIN = 20  # pixels
STROKE = np.ones((3, 3), np.uint8)

_Place: TypeAlias = tuple[slice, slice]


@dataclass(frozen=True, slots=True)
class Layer:
    """A picture, maybe with one ink alone, and where text is in it."""

    picture: Picture
    quads: Quads
    is_over_text: bool = False  # stamped over lines of another layer


def ink_layers(picture: Picture, quads: Quads) -> list[Layer]:
    """Return the picture and where text is; with each ink alone, where they cross."""
    if not len(quads) or _share_of_colour(picture[::STEP, ::STEP]) < FEWEST:
        return [Layer(picture, quads)]
    coloured, black, inked = _inks(picture)
    on_paper = [place for place in _places(quads) if inked[place].mean() <= MAX_INKED]
    if not any(_are_crossed(black[place], coloured[place]) for place in on_paper):
        return [Layer(picture, quads)]
    in_black = _without(picture, coloured, black)
    rows, columns = np.flatnonzero(coloured.any(axis=1)), np.flatnonzero(coloured.any(axis=0))
    top, left = max(0, rows[0] - MARGIN), max(0, columns[0] - MARGIN)
    area = np.s_[top : rows[-1] + MARGIN, left : columns[-1] + MARGIN]
    in_colour = picture.copy()
    in_colour[area] = _without(picture[area], black[area], coloured[area])
    found = detect(in_colour[area]) + np.array([left, top], dtype=np.float32)
    # Of black letters soft edges are left, that lie on coloured ground.
    is_ink = [coloured[place].sum() > black[place].sum() for place in _places(found)]
    found = found[np.array(is_ink, dtype=bool)]
    printed = detect(in_black)
    lines = list(_places(printed))
    has_text = np.zeros(black.shape, dtype=np.bool_)
    for place in lines:
        has_text[place] = True
    is_over = np.array(
        [
            has_text[place].mean() > OVER or any(_is_most_within(line, place) for line in lines)
            for place in _places(found)
        ],
        dtype=bool,
    )
    return [
        Layer(in_black, printed),
        Layer(in_colour, found[~is_over]),
        Layer(in_colour, found[is_over], is_over_text=True),
    ]


def _places(quads: Quads) -> Iterator[_Place]:
    """Yield the rows and columns of pixels of each place."""
    for quad in quads:
        left, top = np.maximum(quad.min(axis=0), 0).astype(int)
        right, bottom = quad.max(axis=0).astype(int) + 1
        yield slice(top, bottom), slice(left, right)


def _is_most_within(line: _Place, stamp: _Place) -> bool:
    """Tell whether most of the place of a line is within that of a stamp."""
    shares = (
        (min(one.stop, other.stop) - max(one.start, other.start)) / (one.stop - one.start)
        for one, other in zip(line, stamp, strict=True)
    )
    return bool(prod(max(share, 0) for share in shares) > MOST)


def _share_of_colour(picture: Picture) -> float:
    """Return how much of a picture is of a colour, letters or not."""
    weakest, strongest = picture.min(axis=2), picture.max(axis=2)
    return float((strongest - weakest > COLOUR).mean())


def _inks(picture: Picture) -> tuple[Mask, Mask, Mask]:
    """Return where dark coloured ink is, without the fringes of black letters, black, and any."""
    blue, green, red = cv2.split(picture)
    strongest = cv2.max(cv2.max(blue, green), red)
    weakest = cv2.min(cv2.min(blue, green), red)
    is_coloured = np.asarray(cv2.subtract(strongest, weakest)) > COLOUR
    # A JPEG lends black letters some of the colour beside them.
    is_coloured &= np.asarray(strongest) >= DARK
    grey = _grey(picture)
    strokes = is_coloured & (grey < LIGHT)
    coloured = cv2.morphologyEx(strokes.astype(np.uint8), cv2.MORPH_OPEN, STROKE)
    black = (grey < DARK) & ~is_coloured
    return np.asarray(coloured, dtype=np.bool_), black, black | strokes


def _grey(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _are_crossed(black: Mask, coloured: Mask) -> bool:
    """Tell whether a place has letters of black ink and coloured ones over them."""
    if black.mean() < MIN_BLACK or not MIN_INK <= coloured.mean() <= MAX_INK:
        return False
    if coloured.any(axis=1).mean() < HIGH:
        return False
    has_black, has_colour = black.any(axis=0), coloured.any(axis=0)
    fewer = min(np.count_nonzero(has_black), np.count_nonzero(has_colour))
    return bool(np.count_nonzero(has_black & has_colour) >= CROSSED * fewer)


def _without(picture: Picture, ink: Mask, other: Mask) -> Picture:
    """Return the picture with paper where the one ink is, and its soft edges, but not the other."""
    edges = cv2.dilate(ink.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    paper = cv2.dilate(picture, np.ones((PAPER_WITHIN, PAPER_WITHIN), np.uint8))
    layer = picture.copy()
    at = edges & ~other
    layer[at] = np.asarray(paper)[at]
    return layer
