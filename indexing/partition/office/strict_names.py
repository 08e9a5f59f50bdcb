"""Give strict Office files the names by which all others call the same things.

The strict form of a docx, pptx or xlsx (ISO/IEC 29500-1, in Word "Strict Open XML Document") has
namespaces of its own, and is else what the libraries that read the usual form (29500-4) expect.
"""

import re

_STRICT = b"//purl.oclc.org/ooxml/"
_NAME = re.compile(rb"""(["'])http://purl\.oclc\.org/ooxml/(\w{1,50})/""")
_USUAL = rb"\1http://schemas.openxmlformats.org/\2/2006/"


def with_usual_names(part: bytes) -> bytes:
    """Return a part of the package with the usual names for strict ones."""
    return _NAME.sub(_USUAL, part) if _STRICT in part else part
