"""Fit a confidence, and measure what one is worth: numpy only."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from extraction.confidence import Calibration, logit

Floats = NDArray[np.float64]

RIDGE = 1.0
STEPS = 30

FEWEST = 40
"""Values behind each share; shares of fewer would follow chance."""

BINS = 10


def fit_weights(rows: Sequence[Mapping[str, float]], right: Sequence[bool]) -> Calibration:
    """Return a logistic regression with a ridge, found by Newton's method, not yet calibrated."""
    names = list(rows[0])
    signs = np.array([[1.0, *(row[name] for name in names)] for row in rows])
    wanted = np.array(right, dtype=np.float64)
    ridge = RIDGE * np.eye(signs.shape[1])
    ridge[0, 0] = 1e-6
    weights = np.zeros(signs.shape[1])
    for _ in range(STEPS):
        shares = 1 / (1 + np.exp(-signs @ weights))
        gradient = signs.T @ (wanted - shares) - ridge @ weights
        curvature = (signs * (shares * (1 - shares))[:, None]).T @ signs + ridge
        weights = weights + np.linalg.solve(curvature, gradient)
    intercept, *rest = map(float, weights)
    return Calibration(intercept, dict(zip(names, rest, strict=True)), (), ())


def with_shares(calibration: Calibration, logits: Floats, right: Sequence[bool]) -> Calibration:
    """Return a calibration with the isotonic shares of logits that it was not fitted on.

    Pools adjacent violators over groups of at least so many values that no share follows chance;
    a share is that of its group and of one right and one wrong value more, so none is 0 or 1.
    """
    order = np.argsort(logits, kind="stable")
    groups = np.array_split(order, max(len(order) // FEWEST, 1))
    wanted = np.array(right, dtype=np.float64)
    pools: list[tuple[float, float, float]] = []  # sum of logits, of right ones, count
    for group in groups:
        pool = (float(logits[group].sum()), float(wanted[group].sum()), float(len(group)))
        while pools and pools[-1][1] / pools[-1][2] >= pool[1] / pool[2]:
            last = pools.pop()
            pool = (last[0] + pool[0], last[1] + pool[1], last[2] + pool[2])
        pools.append(pool)
    # A small group at the end is drawn to the middle by its two more; it may not fall behind.
    shares = np.maximum.accumulate([(good + 1) / (count + 2) for _, good, count in pools])
    return Calibration(
        calibration.intercept,
        calibration.weights,
        [total / count for total, _, count in pools],
        [float(share) for share in shares],
    )


def fit(
    rows: Sequence[Mapping[str, float]], right: Sequence[bool], groups: Sequence[str]
) -> Calibration:
    """Return weights fitted on all, and shares from values of documents left out in turn."""
    logits = np.zeros(len(rows))
    for _, inside, outside in folds(groups):
        left_out = fit_weights([rows[n] for n in inside], [right[n] for n in inside])
        logits[outside] = [logit(rows[n], left_out) for n in outside]
    return with_shares(fit_weights(rows, right), logits, right)


def folds(groups: Sequence[str], count: int = 5) -> list[tuple[int, list[int], list[int]]]:
    """Return for each fold the positions to fit on and those left out; a group stays together."""
    numbers = {group: n % count for n, group in enumerate(dict.fromkeys(groups))}
    return [
        (
            fold,
            [n for n, group in enumerate(groups) if numbers[group] != fold],
            [n for n, group in enumerate(groups) if numbers[group] == fold],
        )
        for fold in range(count)
    ]


def auroc(confidences: Sequence[float], right: Sequence[bool]) -> float:
    """Return how likely a right value is surer than a wrong one; equal ones count half."""
    values, good = np.array(confidences), np.array(right, dtype=bool)
    differences = values[good][:, None] - values[~good][None, :]
    return float(((differences > 0) + 0.5 * (differences == 0)).mean())


def calibration_error(confidences: Sequence[float], right: Sequence[bool]) -> float:
    """Return the expected calibration error: over ten equally wide bins, by their size."""
    values, good = np.array(confidences), np.array(right, dtype=np.float64)
    bins = np.minimum((values * BINS).astype(int), BINS - 1)
    gaps = [
        abs(values[bins == n].mean() - good[bins == n].mean()) * (bins == n).mean()
        for n in range(BINS)
        if (bins == n).any()
    ]
    return float(sum(gaps))


def accuracy_at(coverage: float, confidences: Sequence[float], right: Sequence[bool]) -> float:
    """Return the share of right ones among the surest values, so many of all."""
    order = np.argsort(-np.array(confidences), kind="stable")
    kept = order[: max(round(coverage * len(order)), 1)]
    return float(np.array(right, dtype=np.float64)[kept].mean())
