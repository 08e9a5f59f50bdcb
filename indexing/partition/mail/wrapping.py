"""Take a mail out of what programs that keep it put around it."""

import io
import re
from typing import BinaryIO

_MAX_BYTES = 1 << 10
# Blank lines; and of a mail that Apple's program keeps, the number of its bytes.
_BEFORE_HEADS = re.compile(rb"(?:[ \t]*\r?\n){0,100}(?:(\d{1,10})[ \t]*\r?\n)?(?=[!-9;-~]{1,100}:)")


def unwrapped(file: BinaryIO) -> BinaryIO:
    """Return the mail of a file from its heads on; what Apple's program says of it is left out."""
    before = _BEFORE_HEADS.match(file.read(_MAX_BYTES))
    file.seek(before.end() if before else 0)
    return io.BytesIO(file.read(int(before[1]))) if before and before[1] else file
