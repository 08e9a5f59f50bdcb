"""What the how-to on receipts shows is checked by what it shows: the signature, offline."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.client import Client

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "receipts.md"


async def test_receipt_is_verified_by_what_the_page_shows(
    client: Client, engine: str, tmp_path: Path
) -> None:
    receipt = await new_receipt(client, engine)
    key = await client.get("/deletion-receipts/public-key")

    verified = verify(receipt, key, tmp_path)

    assert verified.stdout == f"{engine} was erased\n", verified.stderr


@pytest.mark.parametrize(
    "changed",
    [
        {"deleted_at": 0},
        {"deleted_id": "kng_0123456789abcd"},
        {"found": {"rows": {}}},
        {"more": "words"},
    ],
)
async def test_receipt_that_was_changed_is_not_verified(
    client: Client, engine: str, tmp_path: Path, changed: dict[str, Any]
) -> None:
    receipt = await new_receipt(client, engine)
    key = await client.get("/deletion-receipts/public-key")
    receipt["content"] |= changed

    verified = verify(receipt, key, tmp_path)

    assert verified.returncode == 1
    assert "InvalidSignature" in verified.stderr


async def test_example_of_a_receipt_has_the_parts_of_a_real_one(
    client: Client, engine: str
) -> None:
    (data_source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    path = f"/api/v1/data-sources/{data_source['id']}?receipt=true"
    receipt = (await (await client.call("DELETE", path)).get_json())["receipt"]

    shown = json.loads(block("json"))

    assert parts_of(shown) == parts_of(receipt)


async def new_receipt(client: Client, engine: str) -> Any:
    response = await client.call("DELETE", f"/api/v1/knowledge-engines/{engine}?receipt=true")
    return (await response.get_json())["receipt"]


def verify(receipt: Any, key: Any, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the program that the page shows, beside the two files that it reads."""
    (folder / "receipt.json").write_text(json.dumps(receipt))
    (folder / "public-key.json").write_text(json.dumps(key))
    command = [sys.executable, "-c", block("python")]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=dict(os.environ), check=False
    )


def block(language: str) -> str:
    (found,) = re.findall(
        rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE
    )
    return str(found)


def parts_of(value: Any) -> Any:
    """Return what an object consists of, without the values."""
    if isinstance(value, dict):
        return {name: parts_of(part) for name, part in value.items()}
    return type(value)
