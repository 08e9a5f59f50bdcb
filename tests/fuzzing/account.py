"""The model of an account: what it must find on the API."""

from dataclasses import dataclass, field
from typing import Any

from tests.client import Client

Json = dict[str, Any]


@dataclass
class Engine:
    """What must be known of an engine: its own fields, and the digests of its sources."""

    shown: Json
    sources: dict[str, str] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)


@dataclass
class Account:
    """What an account must have."""

    client: Client
    engines: dict[str, Engine] = field(default_factory=dict)
    workflows: dict[str, str] = field(default_factory=dict)  # id → engine
    runs: dict[str, str] = field(default_factory=dict)  # id → engine

    def engine(self, which: int) -> tuple[str, Engine]:
        """Return one of the engines."""
        return list(self.engines.items())[which % len(self.engines)]

    def source(self, which: int) -> tuple[Engine, str]:
        """Return one of the data sources, and its engine."""
        every = [(engine, one) for engine in self.engines.values() for one in engine.sources]
        return every[which % len(every)]

    @property
    def has_sources(self) -> bool:
        """Whether it has any."""
        return any(engine.sources for engine in self.engines.values())

    def forget_engine(self, engine_id: str) -> None:
        """Note that an engine is gone with everything in it."""
        del self.engines[engine_id]
        self.workflows = {one: of for one, of in self.workflows.items() if of != engine_id}
        self.runs = {one: of for one, of in self.runs.items() if of != engine_id}
