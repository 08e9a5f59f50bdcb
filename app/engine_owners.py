"""Which engine belongs to which account, as far as it was looked up before."""

from collections import OrderedDict

REMEMBERED_ENGINES = 4096


class EngineOwners:
    """The latest engines that searches have named, so that the next one need not look them up.

    This never grows stale: an engine keeps its owner, and its index goes in the transaction that
    deletes it, so that a search in an engine that is gone fails and is looked into.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[int, str], None] = OrderedDict()

    def remember(self, account_id: int, engine_id: str) -> None:
        """Keep that the engine was found in this account."""
        self._known[account_id, engine_id] = None
        self._known.move_to_end((account_id, engine_id))
        if len(self._known) > REMEMBERED_ENGINES:
            self._known.popitem(last=False)

    def know(self, account_id: int, engine_id: str) -> bool:
        """Tell whether the engine was found in this account before."""
        return (account_id, engine_id) in self._known
