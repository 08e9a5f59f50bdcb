"""Take a question apart by rules: what it compares, and what the passages found lead on to."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from agents.names import is_small_word, names
from indexing.terms import terms
from indexing.types import Chunk

LEADING_PASSAGES = 2
"""How many of the best passages are read for names: what a question describes but does not name
stands in them (a film's passage names its director)."""

LONGEST_QUESTION = 1000
"""How many characters a question may have to be taken apart; a longer one is a text."""

_WORD = re.compile(r"[^\W_](?:[\w'’.-]*[^\W_])?")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")

# What stands between two things that are compared, in the languages of `agents.names`; "and" joins
# also what is not compared.
_ARTICLES = r"(?:the|an?|der|die|das|den|dem|le|la|les|l|el|los|las|il|lo|i|gli)"
_OR = re.compile(
    r".*\b(?:than|versus|vs|als|compared)\b.*"
    rf"|\W*(?:or|to|oder|bis|ou|à|o|u|a)\b\W*(?:{_ARTICLES}\b\W*)?",
    re.IGNORECASE,
)
_AND = re.compile(rf"\W*(?:and|und|et|y|e)\b\W*(?:{_ARTICLES}\b\W*)?|\s*&\s*", re.IGNORECASE)
_COMPARES = re.compile(
    r"\b(?:both|between|same|common|respective(?:ly)?|compar\w+|differ\w*|each|more|less|\w{3,}er"
    r"|beide[nrs]?|zwischen|gleichen?|gemeinsam|vergl\w+|untersch(?:ie|ei)\w+|jeweils|mehr|weniger"
    r"|deux|entre|même|commun|différ\w+|plus|moins"
    r"|amb[oa]s|mism[oa]s?|común|diferenci\w+|más|menos"
    r"|entramb[ie]|tra|fra|stess[oaie]|comune|differenz\w+|confront\w+|più|meno)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    r"[,;]?\s+(?:and|und|et|y|e)\s+(?=(?:who|what|when|where|why|how|wer|was|wann|wo|welch"
    r"\w*|warum|wie|qui|quand|où|quel\w*|pourquoi|combien|quién|qué|cuándo|dónde|cuál\w*|cuánto|cómo"
    r"|chi|cosa|quando|dove|quale|quanto|come)\b)",
    re.IGNORECASE,
)


def parts(question: str, most: int) -> list[str]:
    """Return at most so many sub-questions that can be searched at once; none if it is simple.

    A comparison becomes one for each name or year with what is asked about it, two questions joined
    by "and" one each.
    """
    if len(question) > LONGEST_QUESTION:
        return []
    clauses = _CLAUSE.split(question)
    if len(clauses) > 1:
        return _whole_clauses(clauses)[:most]
    compared = _compared(question)
    rest = _without(question, compared)
    return [f"{one} {rest}".strip() for one in compared][:most]


def leads(question: str, chunks: Sequence[Chunk]) -> Iterator[str]:
    """Yield searches for what the best passages name and the question does not, best first.

    Each is a name with the words of the question that neither its passage nor a better one has.
    Where none is open, nothing has to be found.
    """
    if len(question) > LONGEST_QUESTION:
        return
    asked = set(terms(question))
    told: set[str] = set()
    seen: set[str] = set()
    for chunk in chunks[:LEADING_PASSAGES]:
        told |= set(terms(chunk.content))
        open_words = " ".join(word for word in _content_words(question) if not _said(word, told))
        if not open_words:
            continue
        for name in names(chunk.content):
            if not _said(name, asked) and name.casefold() not in seen:
                seen.add(name.casefold())
                yield f"{name} {open_words}"


def _whole_clauses(clauses: Sequence[str]) -> list[str]:
    """Give the clauses without a name what the first one is about."""
    first, *others = clauses
    subject = _without(first, ())
    return [first, *(one if names(one) else f"{one} {subject}" for one in others)]


def _compared(question: str) -> list[str]:
    """Return the names and years of a question that it sets side by side."""
    compares = _COMPARES.search(question) is not None
    things = sorted({*names(question), *_YEAR.findall(question)}, key=question.find)
    side_by_side: list[str] = []
    for one, other in pairwise(things):
        between = question.partition(one)[2].partition(other)[0]
        if _OR.fullmatch(between) or (compares and _AND.fullmatch(between)):
            side_by_side += [one, other]
    return list(dict.fromkeys(side_by_side))


def _without(question: str, left_out: Sequence[str]) -> str:
    """Return the words that say something, but for those to be left out."""
    for one in left_out:
        question = question.replace(one, " ")
    return " ".join(_content_words(question))


def _content_words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if not is_small_word(word)]


def _said(words: str, told: set[str]) -> bool:
    """Tell whether a text has all the words; it is given by its terms."""
    return set(terms(words)) <= told
