"""The addresses of the endpoints, as the application knows them."""

from collections.abc import Callable
from functools import cache
from typing import Any

from quart.routing import QuartRule
from werkzeug.routing import Rule


class LateRule(QuartRule):
    """A rule that gets what builds its address when that is asked for first.

    To compile it takes most of the time that the application takes to be put together, and of most
    endpoints no address is ever built.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        make_builder = super()._compile_builder

        @cache
        def builder() -> Callable[..., tuple[str, str]]:
            return make_builder(append_unknown)

        def build(rule: Rule, /, **values: Any) -> tuple[str, str]:
            return builder()(rule, **values)

        return build
