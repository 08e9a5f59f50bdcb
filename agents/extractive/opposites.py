"""Words that deny each other, by which a question that only resembles a sentence is told."""

import re
from collections import deque
from collections.abc import Iterator, Set
from itertools import islice, permutations

from indexing.terms import terms

_DENIAL = re.compile(
    r"(?<!or )(?:\bnot\b(?! only| just| all)|\bno\b(?!\.)|n['’]t\b"
    r"|\b(?:never|cannot|without|except|neither|nor|none|nobody|nothing|nowhere|non)\b"
    r"|\b(?:nicht|keine?[mnrs]?|niemals|jamais|nunca)\b"
    r"|\b(?:exclud|prohibit|forbid)\w*)",
    re.I,
)
_WORD = re.compile(r"[^\W_]+")

# With how many letters a word must have at least: "important" denies no "port".
_NEGATING_PREFIXES = {
    **dict.fromkeys(("un", "non"), 4),
    **dict.fromkeys(("in", "im", "il", "ir", "dis", "anti"), 5),
}
_OPPOSITE_WORDS = """
above below, absent present, absolute relative, abstract concrete, abundant scarce, accept reject
refuse, active passive, add remove, add subtract, advantage disadvantage, african american asian
european, agree disagree, alive dead, all none, allow forbid prohibit, ally enemy, always never,
amateur professional, ancestor descendant, ancient modern, angry pleased, appear disappear vanish,
appoint dismiss, approval rejection, approve reject, arrival departure, arrive depart leave,
artificial natural, ascend descend, ascent descent, asset liability, attack defend, attract repel,
aunt uncle, autumn spring summer winter, avoid seek, backward forward, ban allow, before after,
begin end stop, beginning end, best worst, big small, bigger smaller, biggest smallest, birth death,
blunt sharp, borrow lend, borrower lender, bottom top, boy girl, bright dark, broad narrow, brother
sister, build demolish destroy, buy sell, buyer seller, catholic protestant, cause prevent, cheap
expensive, cheaper costlier, child adult, city countryside, civilian military, clean dirty,
clockwise counterclockwise, closest farthest, colder hotter warmer, coldest hottest warmest, combine
separate, common rare uncommon, complex simple, complexity simplicity, compulsory voluntary, concave
convex, conceal reveal, condense evaporate, connect disconnect, conquer surrender, conservative
liberal, construct demolish, create destroy, credit debit, creditor debtor, curved straight, damage
improve, daughter son, decline grow, decrease increase, deep shallow, deepest shallowest, defeat
victory, deficit surplus, deflate inflate, demand supply, demote promote, deny admit, dependent
independent, die born, difficult easy, divide multiply, divide unite, domestic foreign, donor
recipient, downward upward, dry wet, dusk dawn, dynamic static, earliest latest, early late, earn
spend, east north south west, eastern northern southern western, easternmost northernmost
southernmost westernmost, eastward northward southward westward, employer employee, empty full,
encourage discourage, enter leave exit, establish abolish, even odd, exclude include, exhale inhale,
expand shrink contract, expense income, export import, expose cover, external internal, fail
succeed, failure success, fall rise, far near, fast slow, faster slower, fastest slowest, father
mother, fell rose, female male, few many, fewer more, fewest most, first last, first second, forget
remember, found dissolve, freeze melt, friend enemy, friend foe, future past, gain lose, gain loss,
give take, gross net, guilty innocent, hard easy, harden soften, hardest easiest softest, heat cool,
heavier lighter, heaviest lightest, heavy light, help hinder, hide reveal, high low, higher lower,
highest lowest, hire dismiss, horizontal vertical, hot cold, husband wife, ignore notice, inferior
superior, inner outer, input output, inside outside, into out, join leave, junior senior, king
queen, landlord tenant, large small, larger smaller, largest smallest, later earlier, launch cancel,
least most, left right, legal illegal, lengthen shorten, less more, lessee lessor, lightweight
heavyweight, limited unlimited, liquid solid gas, local global, long short, longer shorter, longest
shortest, loosen tighten, loud quiet, love hate, major minor, majority minority, man woman,
mandatory optional, maximal minimal, maximize minimize, maximum minimum, men women, merge split,
minus plus, monday tuesday wednesday thursday friday saturday sunday, narrowest widest, nearer
farther, nephew niece, new old, newest oldest, night day, offensive defensive, often rarely, older
younger, opaque transparent, open close, opponent supporter, oppose support, over under, part whole,
permanent temporary, plaintiff defendant, plural singular, poor rich, poorest richest, positive
negative, possible impossible, poverty wealth, practical theoretical, praise criticize, precede
follow, predecessor successor, primary secondary, private public, profit loss, protect harm, pull
push, qualitative quantitative, quick slow, raise lower, rapid slow, reduce increase, release
capture, reward punish, rough smooth, rural urban, safe dangerous, same different opposite, save
spend, seldom often, sender receiver, separate unite, shortest tallest, shrink grow, single married,
sink float, sold bought, sour sweet, start end stop, strength weakness, strengthen weaken, strong
weak, stronger weaker, strongest weakest, sunrise sunset, tall short, taller shorter, tame wild,
teacher student, thick thin, true false, up down, upper lower, upstream downstream, victim culprit,
war peace, warm cold, wide narrow, win lose, winner loser, won lost, worse better, youngest oldest,
two three four five six seven eight nine ten eleven twelve
"""


def denials(text: str, language: str, reach: int) -> list[frozenset[str]]:
    """Return for each word that denies something the terms behind it, at most so many.

    At the end of a text, as in "Das gilt nicht.", it denies those before it.
    """
    found = []
    for denial in _DENIAL.finditer(text):
        behind = islice(_terms_in_order(text[denial.end() :], language), reach)
        before = deque(_terms_in_order(text[: denial.start()], language), reach)
        found.append(frozenset(behind) or frozenset(before))
    return found


def count_opposites(asked: Set[str], said: frozenset[str]) -> int:
    """Count the terms asked for of which the opposite is said instead."""
    return sum(1 for term in asked - said if _has_opposite(term, said))


def _terms_in_order(text: str, language: str) -> Iterator[str]:
    for word in _WORD.finditer(text):
        yield from terms(word.group(), language)


def _has_opposite(term: str, said: frozenset[str]) -> bool:
    if _OPPOSITES.get(term, frozenset()) & said:
        return True
    return any(
        (len(term) >= fewest and prefix + term in said)
        or (term.startswith(prefix) and len(bare := term[len(prefix) :]) >= fewest and bare in said)
        for prefix, fewest in _NEGATING_PREFIXES.items()
    )


def _opposite_terms() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for group in _OPPOSITE_WORDS.split(","):
        for here, there in permutations(group.split(), 2):
            for term in terms(here):
                found[term] = found.get(term, frozenset()).union(terms(there))
    return found


_OPPOSITES = _opposite_terms()
