"""The addresses of the endpoints, compiled once for all applications that a process of tests makes.

To compile them takes most of the time of putting an application together, and nearly every test has
an application of its own.
"""

from typing import ClassVar

from quart.routing import QuartRule


class KnownRule(QuartRule):
    """A rule that takes over what was compiled for another of the same, but for its map."""

    _compiled: ClassVar[dict[str, QuartRule]] = {}

    def compile(self) -> None:
        given = {name: value for name, value in vars(self).items() if name != "map"}
        known = self._compiled.setdefault(repr(given), self)
        if known is self:
            super().compile()
        else:
            vars(self).update(vars(known) | {"map": self.map})
