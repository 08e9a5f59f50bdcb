"""Open the packages of documents, in which programs of Windows may have parted names their way."""

import zipfile
from pathlib import Path
from typing import BinaryIO


def open_zip(file: Path | BinaryIO) -> zipfile.ZipFile:
    r"""Open a package; what is in folders by the names of Windows (`word\a.xml`) is in these.

    Unless there is something in them by that name.
    """
    package = zipfile.ZipFile(file)
    if any("\\" in name for name in package.NameToInfo):
        usual = {name: one for name, one in package.NameToInfo.items() if "\\" not in name}
        for member in package.infolist():
            # By its original name the library finds it still.
            member.filename = member.filename.replace("\\", "/")
        package.NameToInfo = {member.filename: member for member in package.infolist()} | usual
    return package
