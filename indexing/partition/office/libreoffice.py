"""Convert documents with LibreOffice, where it is installed.

`python -m indexing.partition.office.libreoffice FILE` prints a folder, puts there what each line of
its input asks for (`SUFFIX TARGET...`), and keeps it until the input ends. A line `INSTEAD SUFFIX
BASE64` names a content that is to be converted instead of the file's. A program of its own, because
a reader that is killed can clean up nothing: its end closes the pipe, and with it LibreOffice and
the folder go. And it is started while the reader may still start it: see `confinement`.
"""

import base64
import contextlib
import hashlib
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

from indexing.partition.processes.file_ban import ban_files
from indexing.partition.processes.socket_ban import ban_sockets
from indexing.partition.unreadable import DocumentUnreadable

DONE = "done"
INSTEAD = "instead"

NOT_CONVERTED = (
    "LibreOffice could not convert the document; saving it anew in its own program may help"
)

CONVERSION_SECONDS = 120
MAX_RESULT_BYTES = 1 << 30

USUAL_PLACES = (
    Path("/usr/lib/libreoffice/program/soffice"),
    Path("/usr/lib64/libreoffice/program/soffice"),
    Path("/opt/libreoffice/program/soffice"),
    Path("/snap/bin/libreoffice"),
    Path("/Applications/LibreOffice.app/Contents/MacOS/soffice"),
)

# What LibreOffice is made of beside its own folder, and fonts: no document of anybody's is here.
# What it is to read is named beside, for a document can have it show other files as pictures.
MADE_OF = (
    *(
        Path("/", name)
        for name in (
            *("usr", "bin", "lib", "lib64", "snap", "etc", "dev"),
            *("var/spool/libreoffice", "var/lib/libreoffice", "var/cache/fontconfig", "nix/store"),
        )
    ),
    # Not all of /opt: there the service may lie, and its data beside.
    *Path("/opt").glob("libreoffice*"),
)
# Its processes find each other there, whatever folder for temporary files they are given.
SOCKETS = Path("/tmp")

HOW_TO_INSTALL = "Debian: apt install libreoffice-writer-nogui libreoffice-impress-nogui"
HOW_TO_INSTALL_CALC = "Debian: apt install libreoffice-calc-nogui"
HOW_TO_INSTALL_MATH = "Debian: apt install libreoffice-math-nogui"

# What is read of a presentation has the hidden slides too, so that their numbers are the same.
SLIDES = (".ppt", ".pptx", ".odp")
PDF_OF_ALL_SLIDES = (
    'pdf:impress_pdf_Export:{"ExportHiddenSlides":{"type":"boolean","value":"true"}}'
)

# No macro runs, no linked file is fetched, and whoever asks for the network finds nobody there.
# Formulas are computed anew: a workbook is only converted where values of its formulas are missing.
# And no older version has run before, or it would first try how it draws: two thirds of its work.
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
 <item oor:path="/org.openoffice.Office.Calc/Formula/Load">
  <prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop>
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
 <item oor:path="/org.openoffice.Setup/Product">
  <prop oor:name="ooSetupLastVersion" oor:op="fuse"><value>999.9</value></prop>
 </item>
</oor:items>
"""


class ConversionFailed(DocumentUnreadable):
    """LibreOffice is missing, or made nothing of the file."""


def find_soffice() -> Path | None:
    """Return the program, None where LibreOffice is not installed."""
    if found := shutil.which("soffice") or shutil.which("libreoffice"):
        return Path(found)
    return next((place for place in USUAL_PLACES if place.exists()), None)


def build_of(soffice: Path) -> str:
    """Return the name of its build, "" where that is not beside it."""
    with contextlib.suppress(OSError):
        for line in (soffice.resolve().parent / "versionrc").read_text("utf-8").splitlines():
            if line.startswith("buildid="):
                return line.removeprefix("buildid=")
    return ""


class Converter:
    """The program that converts one file."""

    def __init__(self, path: Path) -> None:
        # -P: a folder of the same name where the service was started must not be taken for ours.
        self._program = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, str(path.resolve())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        told = self._told()
        self.folder = Path(told) if told else None
        """What it makes lies there; None where it could not be made."""

    def convert(self, suffix: str, targets: Sequence[str], content: bytes | None) -> list[Path]:
        """Return the files that were made, of this content if there is one instead of the file's.

        They last as long as the program.

        Raises:
            ConversionFailed: one of them did not come about.
        """
        assert self._program.stdin is not None
        if self.folder is None:
            raise ConversionFailed(
                "LibreOffice is missing, or has no folder to convert the document in"
            )
        with contextlib.suppress(BrokenPipeError):
            if content is not None:
                encoded = base64.b64encode(content).decode()
                self._program.stdin.write(f"{INSTEAD} {suffix} {encoded}\n")
            self._program.stdin.write(f"{suffix} {' '.join(targets)}\n")
            self._program.stdin.flush()
        results = [self.folder / f"document.{target}" for target in targets]
        if self._told() != DONE or not all(result.exists() for result in results):
            raise ConversionFailed(NOT_CONVERTED)
        return results

    def close(self) -> None:
        """End the program, and wait until its folder is gone."""
        with contextlib.suppress(BrokenPipeError):
            self._program.communicate()

    def _told(self) -> str:
        assert self._program.stdout is not None
        return self._program.stdout.readline().rstrip("\n")


_ready: dict[Path, Converter] = {}


def make_ready(path: Path) -> Path | None:
    """Start the program that `converted` will want for this file; return the folder it writes to.

    It lasts as long as this process, which may then no longer be able to start it. None where it
    has no folder: `converted` will say so.
    """
    converter = _ready[path.resolve()] = Converter(path)
    return converter.folder


@contextlib.contextmanager
def converted(
    path: Path, suffix: str, targets: Sequence[str], content: bytes | None = None
) -> Iterator[list[Path]]:
    """Convert a file, of the format that the suffix names, to others; they last for the context.

    What it says is taken from the content instead, if there is one.

    Raises:
        ConversionFailed: one of them did not come about.
    """
    if ready := _ready.get(path.resolve()):
        yield ready.convert(suffix, targets, content)
        return
    converter = Converter(path)
    try:
        yield converter.convert(suffix, targets, content)
    finally:
        converter.close()


def pdf_page_texts(path: Path) -> list[str]:
    """Return the text layer of each page."""
    import pypdfium2

    from indexing.partition.pdf.letters import page_letters, raw_text

    texts = []
    with pypdfium2.PdfDocument(path) as pdf:
        for page in pdf:
            textpage = page.get_textpage()
            texts.append(page_letters(page, textpage, raw_text(textpage)).text)
            textpage.close()
            page.close()
    return texts


def main(source: Path) -> None:
    """Convert what is asked for, and remove it when nobody listens any more."""
    ban_sockets(keep_local=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_RESULT_BYTES, MAX_RESULT_BYTES))
    soffice = find_soffice()
    if soffice is None:
        return
    with tempfile.TemporaryDirectory(prefix="knowledge-engine-") as name:
        folder = Path(name)
        settings = folder / "profile" / "user"
        settings.mkdir(parents=True)
        (settings / "registrymodifications.xcu").write_text(SETTINGS)
        # Where it has not run before, it clears what other builds would have left of extensions,
        # and starts once more: a third of all its work.
        (settings / "extensions").mkdir()
        (settings / "extensions" / "buildid").write_text(build_of(soffice))
        _tell(name)
        for line in sys.stdin:
            asked, content = line, ""
            if line.startswith(f"{INSTEAD} "):
                _, asked, content = line.split()
            suffix, *targets = words = asked.split()
            # Who asks may have been taken over by its document, and is not to name other places.
            if not all(word.isascii() and word.isalnum() for word in words):
                return
            document = folder / f"document.{suffix}"
            if content:
                # What is there may stand for the file itself.
                document.unlink(missing_ok=True)
                document.write_bytes(base64.b64decode(content))
                continue
            if not document.exists():
                document.symlink_to(source)
            if not all(_convert(soffice, document, target) for target in targets):
                return
            _tell(DONE)


def _tell(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def _convert(soffice: Path, document: Path, target: str) -> bool:
    """Run LibreOffice to its end, its deadline, or that of who asked; tell whether to go on."""
    folder = document.parent
    profile = (folder / "profile").as_uri()
    is_of_slides = target == "pdf" and document.suffix in SLIDES
    wanted = PDF_OF_ALL_SLIDES if is_of_slides else target
    command = [
        str(soffice),
        f"-env:UserInstallation={profile}",
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
            readable=[*MADE_OF, soffice.resolve().parents[1], document.resolve()],
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
        # Which it removes itself unless it is killed.
        socket_of(profile).unlink(missing_ok=True)


def socket_of(profile: str) -> Path:
    """Return the socket at which LibreOffice with the profile, an address, may be found.

    Its name is made as in LibreOffice's `desktop/source/app/officeipcthread.cxx`: the digest of the
    address in UTF-16, each byte without its leading zero.
    """
    digest = hashlib.md5(profile.encode("utf-16-le"), usedforsecurity=False).digest()
    name = "".join(f"{byte:x}" for byte in digest)
    return SOCKETS / f"OSL_PIPE_{os.getuid()}_SingleOfficeIPC_{name}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
