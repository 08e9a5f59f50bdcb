"""Hand over a workbook with damaged parts in a shape that can be read."""

import io
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO

import python_calamine
from lxml import etree

from indexing.partition.office.damaged_parts import is_xml, mend_parts, part_bytes

OF_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError),
    *(etree.XMLSyntaxError, python_calamine.CalamineError),
)
"""What is raised where a part is not as it was packed, or no XML."""


def mended_package(path: Path, main: str) -> tuple[BinaryIO, str]:
    """Return a copy in memory that has what can be told of each part, and what is damaged.

    That is "" for nothing. The main part is mended only where its bytes were spoilt.
    """
    spoilt: set[str] = set()
    with zipfile.ZipFile(path) as package:
        names = filter(is_xml, package.NameToInfo)
        parts = {name: part_bytes(package, name, spoilt) for name in names}
    warning = mend_parts(parts, main, spoilt)
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        for name, part in parts.items():
            target.writestr(name, part)
    copy.seek(0)
    return copy, warning
