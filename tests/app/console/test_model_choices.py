from dataclasses import replace

import pytest

from app.console.model_choices import model_choices
from app.models.account import Account
from app.services import Services


@pytest.mark.parametrize(
    ("account", "why_not"),
    [
        (Account(name="first"), ""),
        (Account(name="first", disabled_models=["delta-4.1"]), "Switched off for this account."),
        (Account(name="poor"), "The routing file does not give it to this account."),
    ],
    ids=["usable", "switched off", "withheld"],
)
async def test_choice_says_why_a_model_cannot_be_chosen(
    services: Services, account: Account, why_not: str
) -> None:
    services.models = replace(services.models, accounts={"poor": frozenset({"delta-5.4"})})

    choices = {one.model.identifier: one for one in model_choices(services, account)}

    choice = choices["delta-4.1"]
    assert (choice.why_not, choice.is_usable) == (why_not, not why_not)
