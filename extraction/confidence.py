"""Say how likely a value that a model gave is the right one of its field.

Signs from the documents are weighed by a logistic regression, and what comes out is turned into a
share that held on development documents by an isotonic one. Both are in `calibration.json`, with
the data they were fitted on; `python -m benchmarks.extraction_models --fit` writes that file.

What the model itself shows was not in those data: its values in other windows or samples, and the
probabilities of its tokens. So these are no signs, but limits: no value is surer than they are.
"""

import json
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from extraction.grounding import Grounding, GroundingKind
from extraction.second_opinion import Opinion
from extraction.types import FieldType

UNGROUNDED = 0.3
"""The most that a value is trusted which stands on no page."""

NO_VALUE = 0.0
"""The confidence of a field without a value: there is nothing in it to rely on."""


@dataclass(frozen=True, slots=True)
class Signals:
    """All that tells whether a value is right."""

    type: FieldType
    grounding: Grounding
    opinion: Opinion
    agreement: float = 1.0  # the share of the windows and samples with a value that have this one
    log_probability: float | None = None  # the mean of its tokens, where the provider gives it


@dataclass(frozen=True, slots=True)
class Calibration:
    """How signs become a share."""

    intercept: float
    weights: Mapping[str, float]
    logits: Sequence[float]  # ascending; between two of them the share is interpolated
    shares: Sequence[float]


def confidence(signals: Signals, calibration: Calibration | None = None) -> float:
    """Return how likely a value is right, 0 to 1; by the stored calibration or another one."""
    if signals.grounding.value is None:
        return NO_VALUE
    share = calibrated(signs(signals), calibration or stored_calibration())
    limits = [share, signals.agreement]
    if signals.log_probability is not None:
        limits.append(math.exp(min(signals.log_probability, 0.0)))
    if signals.grounding.kind is GroundingKind.NONE:
        limits.append(UNGROUNDED)
    return max(min(limits), 0.0)


def signs(signals: Signals) -> dict[str, float]:
    """Return what the regression weighs, each between -1 and 1 or a little above.

    * unlike: how much of the value the page writes otherwise
    * nearness: how near the field's own words are
    * recognised: the page is a picture
    * opinion: the built-in extractor's score
    * preference: how much higher it is than that of any other value
    * unseen: the built-in extractor has candidates, but this is none
    * is_first: it is the built-in extractor's first choice
    * is_text: the type has no values of its own to compare with

    What other values there are near the same words is in the built-in extractor's scores. Signs of
    their own for that (how much nearer the words are than to another value, how many values stand
    beside it) were weighed against their meaning in each of five folds, so there are none; nor is
    there one for how often a value stands there, which told nothing.
    """
    grounding, opinion = signals.grounding, signals.opinion
    return {
        "unlike": 1 - grounding.score,
        "nearness": grounding.nearness,
        "recognised": float(grounding.is_recognised),
        "opinion": opinion.score,
        "preference": opinion.score - opinion.other_score,
        "unseen": float(opinion.score == 0 < opinion.other_score),
        "is_first": float(opinion.score > opinion.other_score),
        "is_text": float(signals.type in (FieldType.TEXT, FieldType.VERBATIM)),
    }


def calibrated(signs: Mapping[str, float], calibration: Calibration) -> float:
    """Return the share of values with such signs that are right."""
    at = logit(signs, calibration)
    logits, shares = calibration.logits, calibration.shares
    following = bisect_right(logits, at)
    if following in (0, len(logits)):
        return shares[min(following, len(shares) - 1)]
    low, high = logits[following - 1], logits[following]
    part = (at - low) / (high - low)
    return shares[following - 1] + part * (shares[following] - shares[following - 1])


def logit(signs: Mapping[str, float], calibration: Calibration) -> float:
    """Return the weighted sum of the signs."""
    weights = calibration.weights
    return calibration.intercept + sum(weights[name] * sign for name, sign in signs.items())


@cache
def stored_calibration() -> Calibration:
    """Return the calibration that comes with this package."""
    stored = json.loads((files("extraction") / "calibration.json").read_text("utf-8"))
    return Calibration(stored["intercept"], stored["weights"], stored["logits"], stored["shares"])
