"""Receipts of deletions, by both clients at a real service."""

import base64
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from knowledge_engine import NotFound


def test_receipt_can_be_verified(client: Any, lease_id: str) -> None:
    receipt = client.data_sources.delete(lease_id, receipt=True).receipt
    public_key = client.deletion_receipts.public_key()

    assert (receipt.status, public_key.algorithm) == ("signed", "Ed25519")
    key = load_pem_public_key(public_key.public_key.encode())
    assert isinstance(key, Ed25519PublicKey)
    signed = json.dumps(
        receipt.content, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode()
    key.verify(base64.b64decode(receipt.signature), signed)


def test_receipts_are_found_again_newest_first(client: Any, engine_id: str) -> None:
    ids = [client.data_sources.create_ticket(name, engine_id).id for name in "ABC"]
    receipts = [client.data_sources.delete(one, receipt=True).receipt for one in ids]

    listed = client.deletion_receipts.list(page_size=2)

    assert [next(listed).id for _ in ids] == [one.id for one in reversed(receipts)]
    found = client.deletion_receipts.get(receipts[0].id)
    assert found.content["deleted_id"] == ids[0]


def test_receipt_that_there_is_not_is_not_found(client: Any) -> None:
    with pytest.raises(NotFound):
        client.deletion_receipts.get("drc_aaaaaaaaaaaaaa")
