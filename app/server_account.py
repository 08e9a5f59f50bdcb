"""The system account PostgreSQL runs as, and what that account must be able to reach.

PostgreSQL refuses to run as root. Started by root, it runs as an account of its own; started by
anyone else, as that user, and nothing here has any effect.
"""

import logging
import os
import pwd
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

ACCOUNT_NAME = "pgserver"

_READ_AND_PASS = stat.S_IROTH | stat.S_IXOTH

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerAccount:
    """The user and group a server runs as."""

    uid: int
    gid: int

    def own(self, directory: Path) -> None:
        """Make the account the owner of the directory and of all in it."""
        if directory.stat().st_uid == self.uid:
            return
        # The top comes last: a run that was cut short is then repeated as a whole.
        for parent, directories, files in os.walk(directory, topdown=False):
            for name in (*directories, *files):
                os.chown(Path(parent, name), self.uid, self.gid, follow_symlinks=False)
        os.chown(directory, self.uid, self.gid)

    def open_way_to(self, path: Path) -> None:
        """Let the account pass through the directories above the path; it may not list them."""
        for directory in path.parents:
            status = directory.stat()
            if status.st_uid != self.uid and not status.st_mode & stat.S_IXOTH:
                _logger.warning("chmod o+x %s, so that the database server can reach it", directory)
                directory.chmod(stat.S_IMODE(status.st_mode) | stat.S_IXOTH)

    def open_tree(self, tree: Path) -> None:
        """Let the account read and run all in the tree; a strict umask may have hidden it."""
        if tree.stat().st_mode & _READ_AND_PASS == _READ_AND_PASS:
            return
        # The top comes last, for the same reason.
        for parent, directories, files in os.walk(tree, topdown=False):
            for path in (Path(parent, name) for name in (*directories, *files)):
                if not path.is_symlink():
                    _share(path)
        _share(tree)


def choose_account(cluster: Path) -> ServerAccount | None:
    """Return the account a server on this directory runs as; None means our own."""
    if os.geteuid() != 0:
        return None
    if cluster.exists() and (status := cluster.stat()).st_uid != 0:
        return ServerAccount(status.st_uid, status.st_gid)
    entry = _find_or_create()
    return ServerAccount(entry.pw_uid, entry.pw_gid)


def _find_or_create() -> pwd.struct_passwd:
    command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin"]
    try:
        return pwd.getpwnam(ACCOUNT_NAME)
    except KeyError:
        _logger.info("Creating the system user %s to run the database server", ACCOUNT_NAME)
    try:
        subprocess.run([*command, ACCOUNT_NAME], check=True, capture_output=True)
        return pwd.getpwnam(ACCOUNT_NAME)
    except (OSError, subprocess.CalledProcessError) as error:
        _logger.warning("No user %s (%s): the server runs as nobody", ACCOUNT_NAME, error)
        return pwd.getpwnam("nobody")


def _share(path: Path) -> None:
    """Let everybody read, and run, what its owner may."""
    mode = stat.S_IMODE(path.stat().st_mode)
    path.chmod(mode | (mode & (stat.S_IRUSR | stat.S_IXUSR)) >> 6)
