"""A clock for what looks at one."""

from dataclasses import dataclass


@dataclass
class Clock:
    """Shows the time it is set to."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now
