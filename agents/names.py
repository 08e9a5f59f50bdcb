"""Find what a text names: people, places, organisations, titles, identifiers."""

import re

from indexing.stop_words import STOP_WORDS

LANGUAGES = ("english", "german", "french", "spanish", "italian")
"""Those whose questions are understood by rules; the first is what an unknown one counts as."""

LONGEST_TEXT = 4000
"""How many characters of a text are looked at: no passage is longer."""

# What else a question begins with.
_BEGINNINGS = {"between", "both", "compare", "describe", "explain", "list", "name"}
_SMALL_WORDS = frozenset(_BEGINNINGS).union(*(STOP_WORDS[language] for language in LANGUAGES))

_QUOTED = re.compile(r"[\"“”«»„]([^\"“”«»„]{2,80})[\"“”«»„]")
# Latin, Greek and Cyrillic; other scripts have none.
_CAPITAL = f"[{''.join(filter(str.isupper, map(chr, range(0x530))))}]"
_CAPITALISED = rf"(?:(?:{_CAPITAL}\.){{1,4}}(?=[ \t])|{_CAPITAL}[\w&.’'-]*[\w&]|{_CAPITAL})"
# Small words may stand inside a name, never at its ends: "Haymo of Faversham".
_INSIDE = r"(?:of|the|of the|and the|&|de|de la|del|di|da|du|des|von|van|van der|der|ap|al|bin)"
_RUN = re.compile(
    rf"(?<![\w@]){_CAPITALISED}(?:[ \t]+(?:{_INSIDE}[ \t]+)?(?:{_CAPITALISED}|\d+(?=[\s,.?!]|$)))*"
)
_IDENTIFIER = re.compile(r"\b(?=[\w/.-]*\d)(?=[\w/.-]*[A-Z])[A-Z0-9][\w/.-]*\w\b")
_MONTHS = """
january february march april may june july august september october november december
januar februar märz mai juni juli oktober dezember janvier février mars avril juin juillet août
septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre
octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
"""
_MONTH_NAMES = frozenset(_MONTHS.split())
_POSSESSIVE = re.compile(r"[’']s?$")


def names(text: str) -> list[str]:
    """Return the distinct names of a text in its order: capitalised runs, quotations, identifiers.

    A run loses the small words it begins with, such as the "Which" of a question. A date is no
    name.
    """
    text = text[:LONGEST_TEXT]
    found = [(match.start(), match[1].strip()) for match in _QUOTED.finditer(text)]
    for pattern in (_RUN, _IDENTIFIER):
        found += [(match.start(), _trimmed(match[0])) for match in pattern.finditer(text)]
    distinct: list[str] = []
    for _, name in sorted(found):
        known = any(name.casefold() in other.casefold() for other in distinct)
        if len(name) > 1 and not known and not is_date(name):
            distinct.append(name)
    return distinct


def is_small_word(word: str) -> bool:
    """Tell an article, a pronoun, a preposition and the like, in any of the languages."""
    return word.casefold() in _SMALL_WORDS


def is_date(name: str) -> bool:
    """Tell a month, a day and a year from a name."""
    return all(word.isdigit() or word.casefold() in _MONTH_NAMES for word in name.split())


def _trimmed(run: str) -> str:
    words = run.split()
    while words and is_small_word(words[0].strip("'’")):
        words.pop(0)
    return _POSSESSIVE.sub("", " ".join(words)).rstrip(".")
