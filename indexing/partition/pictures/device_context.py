"""Follow a drawing of Windows: where each of its texts stands, and the largest bitmap in it.

A metafile is a list of calls to GDI, which a device context keeps the state of. Only what says
where a text stands and how large it is matters here.
"""

import functools
import math
import struct
import unicodedata
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from PIL import ImageFont

MAX_RUNS = 10_000
MAX_CHARACTERS = 500_000
MAX_RECORDS = 2_000_000
MAX_SAVED = 1_000
"""States that a drawing can go back to; GDI itself keeps some thousands."""

DAMAGED = "it is damaged"

Point = tuple[float, float]

Matrix = tuple[float, float, float, float, float, float]
"""As in the file: x' = a x + c y + e, y' = b x + d y + f."""

UNCHANGED: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

MM_TEXT, MM_ISOTROPIC, MM_ANISOTROPIC = 1, 7, 8

UPDATE_POSITION = 1
RIGHT, CENTER, HORIZONTAL = 2, 6, 6
BOTTOM, BASELINE, VERTICAL = 8, 24, 24

ASCENT = 0.8
"""The share of the height of a font that is above its baseline."""

CELL_TO_EM = 1 / 1.15
DEFAULT_HEIGHT = 12.0

SYMBOL_CHARSET = 2
SYMBOL_FONTS = ("symbol", "wingdings", "webdings", "marlett", "mt extra", "zapfdingbats")

CODE_PAGES: dict[int, str] = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gbk",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    255: "cp850",
}
"""By the character set of a font; all others are Western."""

CORE_HEADER = 12
"""The size of the header of OS/2's bitmaps, the shortest there is."""


class MetafileUnreadable(Exception):
    """The drawing cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class Font:
    """A font as a drawing asks for it."""

    height: float = DEFAULT_HEIGHT  # of an em, in logical units
    escapement: float = 0.0  # degrees counter-clockwise
    charset: int = 0
    face: str = ""

    @classmethod
    def asked_for(cls, height: int, escapement: int, charset: int, face: str) -> "Font":
        """Return the font with the values of a LOGFONT.

        Its height is that of an em if it is negative, and of a line if it is positive.
        """
        em = -height if height < 0 else height * CELL_TO_EM
        return cls(em or DEFAULT_HEIGHT, escapement / 10, charset, face.partition("\0")[0])

    @property
    def is_symbol(self) -> bool:
        """Tell whether its letters are pictures."""
        return self.charset == SYMBOL_CHARSET or self.face.lower().startswith(SYMBOL_FONTS)

    @property
    def code_page(self) -> str:
        """Return the encoding of its 8-bit strings."""
        return CODE_PAGES.get(self.charset, "cp1252")


@dataclass(frozen=True, slots=True)
class Run:
    """A text that was written by one call."""

    text: str
    x: float  # where its baseline begins
    y: float  # downwards
    width: float
    height: float  # of an em
    angle: float  # degrees counter-clockwise
    is_measured: bool  # the file says how wide it is


@dataclass(slots=True)
class State:
    """What a drawing may save and restore."""

    font: Font = Font()
    text_align: int = 0
    position: Point = (0.0, 0.0)
    map_mode: int = MM_TEXT
    window_origin: Point = (0.0, 0.0)
    window_extent: Point = (0.0, 0.0)  # 0 where none is set
    viewport_origin: Point = (0.0, 0.0)
    viewport_extent: Point = (0.0, 0.0)
    world: Matrix = UNCHANGED


@dataclass(slots=True)
class DeviceContext:
    """What was drawn so far, and the state that the next call finds."""

    state: State = field(default_factory=State)
    runs: list[Run] = field(default_factory=list)
    bitmap: bytes = b""
    """The largest that was drawn, as Windows holds bitmaps in memory (DIB)."""

    _characters: int = 0
    _bitmap_size: tuple[int, int] = (0, 0)  # pixels, and bits of each
    _saved: deque[State] = field(default_factory=lambda: deque(maxlen=MAX_SAVED))

    def save(self) -> None:
        """Remember the state."""
        self._saved.append(replace(self.state))

    def restore(self, number: int) -> None:
        """Go back to a saved state: the first is 1, the last is -1 too."""
        steps = -number if number < 0 else len(self._saved) - number + 1
        for _ in range(min(steps, len(self._saved))):
            self.state = self._saved.pop()

    def transform(self, matrix: Matrix, *, is_first: bool) -> None:
        """Apply a matrix before what is done to coordinates so far, or behind it."""
        first, second = (matrix, self.state.world) if is_first else (self.state.world, matrix)
        a, b, c, d, e, f = first
        p, q, r, s, _, _ = second
        end = _applied(second, (e, f))
        self.state.world = (p * a + r * b, q * a + s * b, p * c + r * d, q * c + s * d, *end)

    def write(self, text: str, at: Point, advances: Sequence[int] = ()) -> None:
        """Note a text: where it stands, how wide and how high, whatever way it is turned.

        Raises:
            MetafileUnreadable: there is more of it than is read.
        """
        state = self.state
        self._characters += len(text)
        if len(self.runs) >= MAX_RUNS or self._characters > MAX_CHARACTERS:
            raise MetafileUnreadable("it has more text than is read of a drawing")
        along, across, angle = self._scale()
        height = state.font.height * across
        told = sum(advances) * along
        width = told if told > 0 else _usual_width(text) * height
        is_moving = bool(state.text_align & UPDATE_POSITION)
        x, y = self._on_device(state.position if is_moving else at)
        if is_moving and along:
            state.position = (state.position[0] + width / along, state.position[1])
        angle += state.font.escapement
        back, down = _reference(state.text_align, width, height)
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        x, y = x - back * cos + down * sin, y + back * sin + down * cos
        is_placed = all(map(math.isfinite, (x, y, width, height))) and height > 0
        if is_placed and text.strip() and not state.font.is_symbol:
            self.runs.append(Run(text, x, y, width, height, angle, told > 0))

    def show(self, *parts: memoryview) -> None:
        """Note a bitmap, whose header begins the first part, if it is larger than those before."""
        header = parts[0]
        if len(header) < CORE_HEADER:
            return
        is_core = int.from_bytes(header[:4], "little") == CORE_HEADER
        width, height, _, bits = struct.unpack_from("<4H" if is_core else "<2i2H", header, 4)
        size = abs(width * height), bits
        if size > self._bitmap_size:
            self._bitmap_size = size
            self.bitmap = b"".join(parts)

    def _page_scale(self) -> Point:
        """Return how many pixels a logical unit has; negative where it is counted the other way.

        Where only one of the two rectangles is known, or neither, only the direction matters.
        """
        state = self.state
        if state.map_mode == MM_TEXT:
            return 1.0, 1.0
        if state.map_mode not in (MM_ISOTROPIC, MM_ANISOTROPIC):
            return 1.0, -1.0
        across, down = (
            (viewport or abs(window)) / (window or abs(viewport)) if window or viewport else 1.0
            for window, viewport in zip(state.window_extent, state.viewport_extent, strict=True)
        )
        return across, down

    def _scale(self) -> tuple[float, float, float]:
        """Return the pixels of a unit along and across a text, and its angle in degrees."""
        across, down = self._page_scale()
        a, b, c, d, _, _ = self.state.world
        x, y = a * abs(across), b * down
        along = math.hypot(x, y)
        area = abs((a * d - b * c) * across * down)
        return along, area / along if along else 0.0, math.degrees(math.atan2(-y, x))

    def _on_device(self, at: Point) -> Point:
        x, y = _applied(self.state.world, at)
        across, down = self._page_scale()
        left, top = self.state.window_origin
        return (
            (x - left) * across + self.state.viewport_origin[0],
            (y - top) * down + self.state.viewport_origin[1],
        )


def _applied(matrix: Matrix, at: Point) -> Point:
    a, b, c, d, e, f = matrix
    x, y = at
    return a * x + c * y + e, b * x + d * y + f


def _reference(text_align: int, width: float, height: float) -> Point:
    """Return how far behind the beginning of the baseline, and above it, the given point is."""
    back = {RIGHT: width, CENTER: width / 2}.get(text_align & HORIZONTAL, 0.0)
    down = {BASELINE: 0.0, BOTTOM: (ASCENT - 1) * height}
    return back, down.get(text_align & VERTICAL, ASCENT * height)


def _usual_width(text: str) -> float:
    """Return about how many times its height a text is wide."""
    return sum(map(_width, text))


@functools.lru_cache(4096)
def _width(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    return _ruler().getlength(character) / 100


@functools.cache
def _ruler() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(100)
