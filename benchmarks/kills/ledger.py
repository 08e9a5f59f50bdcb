"""What the service has acknowledged, and what it therefore must keep."""

import threading
from collections import Counter
from dataclasses import dataclass, field

from benchmarks.kills.documents import Document


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that was not answered as it should have been."""

    began: float
    ended: float
    what: str


@dataclass
class Ledger:
    """What the service has acknowledged; what it left open may be either way, but never half."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    documents: dict[str, Document] = field(default_factory=dict)  # by id, each answered with 201
    deleted: set[str] = field(default_factory=set)
    in_doubt: set[str] = field(default_factory=set)  # a deletion was asked for
    being_deleted: set[str] = field(default_factory=set)  # at this moment, by one client
    engines: set[str] = field(default_factory=set)
    engines_in_doubt: set[str] = field(default_factory=set)
    engines_deleted: set[str] = field(default_factory=set)
    workflows: dict[str, str] = field(default_factory=dict)  # id: engine
    failures: list[Failure] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def count(self, what: str) -> None:
        with self.lock:
            self.counts[what] += 1

    def live_documents(self) -> dict[str, Document]:
        """Return what must be there: acknowledged, and never asked to go."""
        with self.lock:
            gone = self.deleted | self.in_doubt
            return {
                key: one
                for key, one in self.documents.items()
                if key not in gone and one.engine_id in self.engines
            }

    def deleted_documents(self) -> set[str]:
        """Return what must be gone."""
        with self.lock:
            with_engine = {
                key for key, one in self.documents.items() if one.engine_id in self.engines_deleted
            }
            return self.deleted | with_engine
