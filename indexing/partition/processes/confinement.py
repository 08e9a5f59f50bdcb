"""What a process that opens somebody's document may reach: that document, and its own libraries.

Who takes such a process over finds neither the documents of others in it nor a network.
"""

import os
import sys
import tempfile
from pathlib import Path

from indexing.partition.office.libreoffice import find_soffice, make_ready
from indexing.partition.processes.file_ban import ban_files
from indexing.partition.processes.socket_ban import ban_sockets

_INDEXING = Path(__file__).parents[2]

# Named one by one, for beside our packages may lie the data.
PROGRAM = (Path(sys.prefix), Path(sys.base_prefix), _INDEXING, _INDEXING.with_name("config"))
SYSTEM = tuple(
    Path("/", name)
    for name in (
        *("usr", "bin", "lib", "lib64", "nix/store", "var/cache/fontconfig"),
        *("etc/ld.so.cache", "etc/localtime", "etc/fonts", "etc/mime.types"),
        *("dev/zero", "dev/urandom", "proc/cpuinfo", "sys/devices/system/cpu"),
    )
)


def confine(
    document: Path | None, *, folder: Path | None = None, with_libreoffice: bool = False
) -> None:
    """Leave this process the document, if one is named, and a folder to write to.

    To be called before there are threads: those keep what they have. LibreOffice, where it is
    wanted and installed, works beside the process, under bans of its own. On a system without such
    bans nothing is refused.
    """
    readable = [*SYSTEM, *PROGRAM]
    if document is not None:
        readable.append(document.resolve())
        if with_libreoffice and find_soffice() is not None and (made := make_ready(document)):
            readable.append(made)
    writable = [Path(os.devnull), *([] if folder is None else [folder])]
    # Libraries ask for it when they are imported, and it is found by writing there.
    tempfile.gettempdir()
    ban_sockets()
    # Python finds our packages by the names that are beside them.
    ban_files(readable=readable, writable=writable, listable=[_INDEXING.parent])
