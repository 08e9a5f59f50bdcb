"""The rules by which addresses lead to views, made ready only as far as they are used."""

from collections.abc import Callable
from functools import cache

from quart.routing import QuartRule


class AddressRule(QuartRule):
    """A rule that compiles what writes its addresses when the first of them is written.

    Werkzeug does so for every rule at once: two functions each, most of the time of putting the
    application together. Of the API's addresses none is ever written.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        @cache
        def compiled() -> Callable[..., tuple[str, str]]:
            return QuartRule._compile_builder(self, append_unknown)

        def build(rule: QuartRule, /, **values: object) -> tuple[str, str]:
            return compiled()(rule, **values)

        return build
