"""The models as an account may choose them."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.models.account import Account
from app.services import Services
from config.model_table import Model


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model, and why it cannot be chosen if so."""

    model: Model
    is_withheld: bool  # by the routing file
    is_switched_off: bool  # by the account itself

    @property
    def is_usable(self) -> bool:
        return self.model.is_enabled and not self.is_withheld and not self.is_switched_off

    @property
    def why_not(self) -> str:
        """Say what keeps it from being chosen; "" where nothing does."""
        if not self.model.is_enabled:
            return f"To enable it, set {self.model.why_not_enabled.removeprefix('not set: ')}."
        if self.is_withheld:
            return "The routing file does not give it to this account."
        return "Switched off for this account." if self.is_switched_off else ""


def model_choices(services: Services, account: Account) -> Sequence[ModelChoice]:
    """Return all models in the order of the routing file."""
    withheld = services.models.withheld_from(account.name)
    return [
        ModelChoice(
            model,
            is_withheld=model.identifier in withheld,
            is_switched_off=model.identifier in account.disabled_models,
        )
        for model in services.models.models.values()
    ]
