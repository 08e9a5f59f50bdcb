"""What the amounts of a document say about each other: a total is what net and tax add up to."""

from collections import defaultdict
from collections.abc import Sequence

from extraction.built_in.concepts import Concept, concepts
from extraction.built_in.mentions import Mention
from extraction.built_in.wanted import Wanted

# Of the net amount: lower ones are seldom a tax, and higher ones are another item.
LOWEST_TAX = 0.02
HIGHEST_TAX = 0.30
ROUNDING = 0.011

MOST_AMOUNTS = 60
"""Different amounts of a source that are added up; a longer list is not an invoice."""

_NOT_OWED = {Concept.PAID, Concept.CHANGE, Concept.DISCOUNT, Concept.QUANTITY, Concept.DUE}


def amount_signs(wanted: Wanted, mentions: Sequence[Mention]) -> list[dict[str, float]]:
    """Return for each amount what it is beside the others of its source.

    * adds_up: where a total, a net amount or a tax is asked for, it is that part of such a sum
    * largest: where a total is asked for, it is the largest that is owed, not handed over
    * settled: where a total is asked for, it is what was handed over less the change
    """
    is_net, is_tax = wanted.means(Concept.NET), wanted.means(Concept.TAX)
    is_total = wanted.means(Concept.TOTAL) and not is_net and not is_tax
    part = "net" if is_net else "tax" if is_tax else "total" if is_total else ""
    return [
        {
            "adds_up": amount.get(part, 0.0),
            "largest": amount["largest"] * is_total,
            "settled": amount["settled"] * is_total,
        }
        for amount in _compared(mentions)
    ]


def _compared(mentions: Sequence[Mention]) -> list[dict[str, float]]:
    by_source = defaultdict(list)
    for number, mention in enumerate(mentions):
        by_source[mention.passage.source].append(number)
    signs: list[dict[str, float]] = [{} for _ in mentions]
    for numbers in by_source.values():
        _read_source(
            [mentions[number] for number in numbers], [signs[number] for number in numbers]
        )
    return signs


def _read_source(mentions: Sequence[Mention], signs: Sequence[dict[str, float]]) -> None:
    said = [concepts(mention.around.label) for mention in mentions]
    values = [_amount(mention) for mention in mentions]
    owed = [value for value, label in zip(values, said, strict=True) if not label & _NOT_OWED]
    largest = max(owed, default=0.0)
    paid = {value for value, label in zip(values, said, strict=True) if Concept.PAID in label}
    change = {value for value, label in zip(values, said, strict=True) if Concept.CHANGE in label}
    few = max(len(paid), len(change)) <= MOST_AMOUNTS
    settled = {round(one - other, 2) for one in paid for other in change} if few else set()
    totals, nets, taxes = _sums(sorted({value for value in owed if value > 0}))
    for value, label, sign in zip(values, said, signs, strict=True):
        is_owed = not label & _NOT_OWED
        sign["largest"] = float(is_owed and value == largest > 0)
        sign["settled"] = float(round(value, 2) in settled and is_owed)
        sign["total"] = float(value in totals)
        sign["net"] = float(value in nets)
        sign["tax"] = float(value in taxes)


def _sums(values: Sequence[float]) -> tuple[set[float], set[float], set[float]]:
    """Return the totals, net amounts and taxes among the values, by addition."""
    totals: set[float] = set()
    nets: set[float] = set()
    taxes: set[float] = set()
    if len(values) > MOST_AMOUNTS:
        return totals, nets, taxes
    for net in values:
        for tax in values:
            if not LOWEST_TAX * net <= tax <= HIGHEST_TAX * net:
                continue
            total = next((one for one in values if abs(net + tax - one) < ROUNDING), None)
            if total is not None:
                totals.add(total)
                nets.add(net)
                taxes.add(tax)
    return totals, nets, taxes


def _amount(mention: Mention) -> float:
    return float(mention.value) if isinstance(mention.value, int | float) else 0.0
