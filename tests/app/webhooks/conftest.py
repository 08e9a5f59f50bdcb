"""A service that may tell receivers on loopback."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from app.outbound import Outbound
from app.services import Services
from tests.webhook_receiver import Receiver, receiving


@dataclass
class Clock:
    """Stands still until it is moved on."""

    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __call__(self) -> datetime:
        return self.now

    def move(self, by: timedelta) -> None:
        self.now += by


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def receiver(services: Services) -> AsyncIterator[Receiver]:
    services.outbound = Outbound(allow_private=True)
    async with receiving() as receiver:
        yield receiver
