"""Letters to draw pictures with, for tests of what is recognised in them."""

from pathlib import Path

import pytest

DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")

needs_dejavu = pytest.mark.skipif(not DEJAVU.exists(), reason="needs fonts-dejavu-core")
