from pathlib import Path

import pytest

from indexing.partition.open_document.document import open_odt
from tests.indexing.partition.open_documents import table, write

INNER = table(["Key", "Value"], ["k", "v"])
LONG = f"<text:p>{'long ' * 50}</text:p>"


@pytest.mark.parametrize(
    ("outer", "found"),
    [
        pytest.param(
            table(["Part", "Content"], ["A", f"<text:p>before</text:p>{INNER}"], ["B", "plain"]),
            [("Part | Content", "A | before\nB | plain"), ("Key | Value", "k | v")],
            id="a table in a cell",
        ),
        pytest.param(
            table([f"<text:p>before</text:p>{INNER}"]),
            [("", "before"), ("Key | Value", "k | v")],
            id="a frame around text and a table",
        ),
        pytest.param(
            table([f"{LONG}{INNER}", "beside"]),
            [("", ("long " * 50).strip()), ("Key | Value", "k | v"), ("", "beside")],
            id="a layout of running text",
        ),
        pytest.param(
            table(["Part", "Content"], ["A", table(["Name", "Kind"], ["n", INNER])]),
            [("Part | Content", "A"), ("Name | Kind", "n"), ("Key | Value", "k | v")],
            id="deep",
        ),
    ],
)
def test_tables_within_tables_keep_their_rows(
    outer: str, found: list[tuple[str, str]], tmp_path: Path
) -> None:
    write(tmp_path / "nested.odt", outer)

    (page,) = open_odt(tmp_path / "nested.odt").pages

    assert [(block.header, block.text) for block in page.blocks] == found
