"""Convert documents with LibreOffice, where it is installed.

`python -m indexing.partition.libreoffice FILE SUFFIX TARGET...` converts a file, prints the folder
with the results, and keeps it until its input ends. A program of its own, because a reader that is
killed can clean up nothing: its end closes the pipe, and with it LibreOffice and the folder go.
"""

import contextlib
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from indexing.partition.file_ban import ban_files

CONVERSION_SECONDS = 120
MAX_RESULT_BYTES = 1 << 30

USUAL_PLACES = (
    Path("/usr/lib/libreoffice/program/soffice"),
    Path("/usr/lib64/libreoffice/program/soffice"),
    Path("/opt/libreoffice/program/soffice"),
    Path("/snap/bin/libreoffice"),
    Path("/Applications/LibreOffice.app/Contents/MacOS/soffice"),
)

# What LibreOffice is made of, and its fonts: no document of anybody's is here. What it is to read
# is named beside, for a document can have it show other files as pictures.
SYSTEM = tuple(
    Path("/", name)
    for name in (
        *("usr", "bin", "lib", "lib64", "opt", "snap", "etc", "dev"),
        *("var/spool/libreoffice", "var/lib/libreoffice", "var/cache/fontconfig", "nix/store"),
    )
)
# Its processes find each other there, whatever folder for temporary files they are given.
SOCKETS = Path("/tmp")

HOW_TO_INSTALL = "Debian: apt install libreoffice-writer-nogui libreoffice-impress-nogui"
HOW_TO_INSTALL_CALC = "Debian: apt install libreoffice-calc-nogui"

# What is read of a presentation has the hidden slides too, so that their numbers are the same.
SLIDES = (".ppt", ".pptx", ".odp")
PDF_OF_ALL_SLIDES = (
    'pdf:impress_pdf_Export:{"ExportHiddenSlides":{"type":"boolean","value":"true"}}'
)

# No macro runs, no linked file is fetched, and whoever asks for the network finds nobody there.
SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
 <item oor:path="/org.openoffice.Office.Common/Security/Scripting">
  <prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop>
 </item>
 <item oor:path="/org.openoffice.Office.Common/Security/Scripting">
  <prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>
 </item>
 <item oor:path="/org.openoffice.Office.Common/Security/Scripting">
  <prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop>
 </item>
 <item oor:path="/org.openoffice.Office.Writer/Content/Update">
  <prop oor:name="Link" oor:op="fuse"><value>0</value></prop>
 </item>
 <item oor:path="/org.openoffice.Inet/Settings">
  <prop oor:name="ooInetProxyType" oor:op="fuse"><value>2</value></prop>
 </item>
 <item oor:path="/org.openoffice.Inet/Settings">
  <prop oor:name="ooInetHTTPProxyName" oor:op="fuse"><value>127.0.0.1</value></prop>
 </item>
 <item oor:path="/org.openoffice.Inet/Settings">
  <prop oor:name="ooInetHTTPProxyPort" oor:op="fuse"><value>9</value></prop>
 </item>
 <item oor:path="/org.openoffice.Inet/Settings">
  <prop oor:name="ooInetHTTPSProxyName" oor:op="fuse"><value>127.0.0.1</value></prop>
 </item>
 <item oor:path="/org.openoffice.Inet/Settings">
  <prop oor:name="ooInetHTTPSProxyPort" oor:op="fuse"><value>9</value></prop>
 </item>
</oor:items>
"""


class ConversionFailed(Exception):
    """LibreOffice is missing, or made nothing of the file."""


def find_soffice() -> Path | None:
    """Return the program, None where LibreOffice is not installed."""
    if found := shutil.which("soffice") or shutil.which("libreoffice"):
        return Path(found)
    return next((place for place in USUAL_PLACES if place.exists()), None)


@contextlib.contextmanager
def converted(path: Path, suffix: str, targets: Sequence[str]) -> Iterator[list[Path]]:
    """Convert a file, of the format that the suffix names, to others; they last for the context.

    Raises:
        ConversionFailed: one of them did not come about.
    """
    # -P: a folder of the same name where the service was started must not be taken for ours.
    command = [sys.executable, "-P", "-m", __name__, str(path.resolve()), suffix, *targets]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        folder = program.stdout.readline().rstrip("\n")
        results = [Path(folder, f"document.{target}") for target in targets]
        try:
            if not folder or not all(result.exists() for result in results):
                raise ConversionFailed("LibreOffice could not convert the document")
            yield results
        finally:
            program.stdin.close()


def pdf_page_texts(path: Path) -> list[str]:
    """Return the text layer of each page."""
    import pypdfium2

    from indexing.partition.pdf_letters import page_letters

    texts = []
    with pypdfium2.PdfDocument(path) as pdf:
        for page in pdf:
            textpage = page.get_textpage()
            texts.append(page_letters(page, textpage))
            textpage.close()
            page.close()
    return texts


def main(source: Path, suffix: str, targets: Sequence[str]) -> None:
    """Convert, tell where the results are, and remove them when nobody listens any more."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_RESULT_BYTES, MAX_RESULT_BYTES))
    soffice = find_soffice()
    if soffice is None:
        return
    with tempfile.TemporaryDirectory(prefix="knowledge-engine-") as name:
        folder = Path(name)
        document = folder / f"document.{suffix}"
        document.symlink_to(source)
        settings = folder / "profile" / "user"
        settings.mkdir(parents=True)
        (settings / "registrymodifications.xcu").write_text(SETTINGS)
        for target in targets:
            if not _convert(soffice, document, target):
                return
        sys.stdout.write(f"{folder}\n")
        sys.stdout.flush()
        sys.stdin.read()


def _convert(soffice: Path, document: Path, target: str) -> bool:
    """Run LibreOffice to its end, its deadline, or that of who asked; tell whether to go on."""
    folder = document.parent
    is_of_slides = target == "pdf" and document.suffix in SLIDES
    wanted = PDF_OF_ALL_SLIDES if is_of_slides else target
    command = [
        str(soffice),
        f"-env:UserInstallation={(folder / 'profile').as_uri()}",
        *("--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck"),
        *("--convert-to", wanted, "--outdir", str(folder), str(document)),
    ]
    environment = {
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "PATH": os.defpath,
        "LC_ALL": "C.UTF-8",
        "SAL_USE_VCLPLUGIN": "svp",
    }
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
        preexec_fn=partial(
            ban_files,
            readable=[*SYSTEM, soffice.resolve().parents[1], document.resolve()],
            writable=[folder, Path(os.devnull)],
            for_sockets=[SOCKETS],
        ),
    )
    try:
        for _ in range(CONVERSION_SECONDS * 20):
            asker_is_gone = select.select([sys.stdin], [], [], 0.05)[0]
            if process.poll() is not None:
                return not asker_is_gone
            if asker_is_gone:
                return False
        return False
    finally:
        # LibreOffice is several processes, and the first is not the one that works.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
