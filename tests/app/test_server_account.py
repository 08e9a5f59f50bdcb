import os
from pathlib import Path

import pytest

from app.server_account import ServerAccount, choose_account

STRANGER = ServerAccount(uid=64_321, gid=64_321)

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root changes owners")


def test_way_to_a_directory_is_opened_for_passing_only(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "data").mkdir(parents=True)
    closed.chmod(0o700)

    STRANGER.open_way_to(closed / "data")

    assert closed.stat().st_mode & 0o777 == 0o701


def test_tree_hidden_by_a_strict_umask_is_opened(tmp_path: Path) -> None:
    tree = tmp_path / "wheel"
    tree.mkdir(mode=0o700)
    (tree / "program").touch(mode=0o700)
    (tree / "library").touch(mode=0o600)

    STRANGER.open_tree(tree)

    assert [path.stat().st_mode & 0o007 for path in (tree, *sorted(tree.iterdir()))] == [5, 4, 5]


@only_root
def test_server_keeps_running_as_the_owner_of_its_cluster(tmp_path: Path) -> None:
    STRANGER.own(tmp_path)

    assert choose_account(tmp_path) == STRANGER


@only_root
def test_root_gives_a_new_cluster_an_account_of_its_own(tmp_path: Path) -> None:
    account = choose_account(tmp_path / "postgres")

    assert account is not None
    assert account.uid != 0


@only_root
def test_owning_a_directory_includes_all_in_it(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "1").touch()

    STRANGER.own(tmp_path)

    assert {path.stat().st_uid for path in (tmp_path, *tmp_path.rglob("*"))} == {STRANGER.uid}
