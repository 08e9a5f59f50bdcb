"""What the routing file takes from the environment: keys, addresses, parts of names."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Environment = Callable[[str], str]
"""Returns the value of an environment variable, or "" where it is not set."""

VARIABLE = r"[A-Z][A-Z0-9_]*"
MODEL_PATTERN = r"^[^/]+/.+"
KEY_PATTERN = rf"^({VARIABLE})?$"
ADDRESS_PATTERN = rf"^(https?://.+|{VARIABLE})?$"

_IN_NAME = re.compile(r"\$\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a model is asked, as the file writes it."""

    model: str  # a LiteLLM model string, in which ${NAME} stands for a variable
    api_base: str  # an address, or the variable that holds it
    api_key: str  # the variable that holds the key

    def needed(self) -> Iterator[str]:
        """Yield the variables that name and address need."""
        yield from _IN_NAME.findall(self.model)
        if self._base_is_variable:
            yield self.api_base

    def filled_in(self, environment: Environment) -> "Place":
        """Return it with the values of its variables; the key is the key itself then."""
        return Place(
            model=_IN_NAME.sub(lambda match: environment(match[1]), self.model),
            api_base=environment(self.api_base) if self._base_is_variable else self.api_base,
            api_key=environment(self.api_key) if self.api_key else "",
        )

    @property
    def _base_is_variable(self) -> bool:
        return re.fullmatch(VARIABLE, self.api_base) is not None
