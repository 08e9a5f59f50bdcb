"""How much is tried: a slice, always the same one, unless `scripts/fuzz` asks for more."""

import os

from hypothesis import HealthCheck, Phase, settings

ROUNDS = int(os.environ.get("FUZZ_ROUNDS", "1"))
"""How many times as much as in the slice is tried."""

SEED = int(os.environ.get("FUZZ_SEED", "0"))
"""What is tried that Hypothesis does not choose."""


def tries(examples: int) -> settings:
    """Return the settings of a test that takes so many examples in the slice."""
    return settings(
        max_examples=examples * ROUNDS,
        derandomize=ROUNDS == 1,
        database=None,
        # Shrinking would take minutes, for each try is many requests.
        phases=[Phase.generate],
        # The machines and the database are as slow as they are.
        suppress_health_check=list(HealthCheck),
    )
