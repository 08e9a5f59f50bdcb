"""`client.deletion_receipts`: what was erased by deletions, looked for afterwards, and signed."""

from collections.abc import AsyncIterator, Iterator, Mapping

from knowledge_engine.calls import Call, ListPage, listing, path, reading
from knowledge_engine.models import DeletionReceipt, PublicKey
from knowledge_engine.transport import AsyncTransport, Transport

_RECEIPTS = "deletion-receipts"


class DeletionReceipts:
    """The receipts of an account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, receipt_id: str) -> DeletionReceipt:
        """Return a receipt."""
        return self._transport.send(_get(receipt_id))

    def public_key(self) -> PublicKey:
        """Return the key by which the receipts of the service can be verified."""
        return self._transport.send(_public_key())

    def list(self, *, page_size: int = 100) -> Iterator[DeletionReceipt]:
        """Yield the receipts, newest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size))


class AsyncDeletionReceipts:
    """The receipts of an account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, receipt_id: str) -> DeletionReceipt:
        """Return a receipt."""
        return await self._transport.send(_get(receipt_id))

    async def public_key(self) -> PublicKey:
        """Return the key by which the receipts of the service can be verified."""
        return await self._transport.send(_public_key())

    def list(self, *, page_size: int = 100) -> AsyncIterator[DeletionReceipt]:
        """Yield the receipts, newest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size))


def receipt_wanted(receipt: bool) -> Mapping[str, str]:
    """Return the parameters of a deletion that is to have a receipt, or is not to."""
    return {"receipt": "true"} if receipt else {}


def _get(receipt_id: str) -> Call[DeletionReceipt]:
    return Call("GET", path(_RECEIPTS, receipt_id), reading(DeletionReceipt))


def _public_key() -> Call[PublicKey]:
    return Call("GET", path(_RECEIPTS, "public-key"), reading(PublicKey))


def _list(page_size: int) -> Call[ListPage[DeletionReceipt]]:
    return listing(DeletionReceipt, path(_RECEIPTS), page_size)
