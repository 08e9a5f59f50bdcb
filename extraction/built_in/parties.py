"""Between whom an agreement is made."""

import re
from collections.abc import Iterator, Sequence

from extraction.built_in.layout import Passage
from extraction.built_in.mentions import Mention
from extraction.built_in.organisations import with_legal_form

MANY = "; "
"""Between several values of a field that asks for one text."""

MOST_SIGNATORIES = 20
"""Names that are compared with each other; a longer list is not of those who sign."""

_BETWEEN = re.compile(r"\b(?:between|BETWEEN|among|AMONG|zwischen|entre|tussen)\b:?(?: and among)?")
_BRACKETS = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)")
_PARTS = re.compile(r"\band\b|\bAND\b|;|\bund\b|\bet\b|\ben\b")
_PERSON = re.compile(r"(?:[A-Z]\.? ?){0,2}[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]*){1,3}")
_SIGNED = re.compile(r"/s/|^By\b ?:|\bBy: ", re.IGNORECASE)
_LONGEST_PREAMBLE = 900
_DEFINED = re.compile(r"^,?(?: an?\b[^()“\"]{0,60})? ?\((?:the |[^()]{0,120})?[“\"']")


def parties(passages: Sequence[Passage]) -> Iterator[Mention]:
    """Yield those between whom an agreement is made, joined by a semicolon.

    A letter has no such sentence; its parties are those who sign, or are given a short name.
    """
    between = [mention for passage in passages for mention in _between(passage)]
    yield from between
    if not any(mention.form == 1 for mention in between) and (named := _signatories(passages)):
        names = distinct([str(mention.value) for mention in named[:MOST_SIGNATORIES]])
        yield Mention(named[0].passage, named[0].start, named[0].end, MANY.join(names), form=0.5)


def _between(passage: Passage) -> Iterator[Mention]:
    for start, end in passage.sentences:
        if between := _BETWEEN.search(passage.text, start, end):
            text = passage.text[between.end() : end][:_LONGEST_PREAMBLE]
            if names := _names_between(passage, between.end(), text):
                form = 1.0 if len(names) > 1 else 0.5
                yield Mention(passage, start, end, MANY.join(names), form=form)


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names without those that differ by case and punctuation only, or are a part."""
    kept: dict[str, str] = {}
    for name in names:
        key = re.sub(r"[\W_]+", "", name).casefold()
        if key and (key not in kept or kept[key].isupper()):
            kept[key] = name
    return [
        name
        for key, name in kept.items()
        if not any(key in other and key != other for other in kept)
    ]


def _names_between(passage: Passage, offset: int, text: str) -> list[str]:
    """Return the names that a preamble has behind "between", one for each of its parts."""
    text = _BRACKETS.sub(lambda match: " " * len(match[0]), text)
    found = [
        (mention.start - offset, mention.end - offset)
        for mention in with_legal_form(passage)
        if offset <= mention.start < offset + len(text)
    ]
    names: list[str] = []
    start = 0
    for cut in [*_PARTS.finditer(text), None]:
        end = cut.start() if cut else len(text)
        inside = [span for span in found if start <= span[0] < end]
        part = text[start:end].lstrip(" ,")
        if inside:
            names.append(text[inside[0][0] : inside[0][1]].strip(" ,"))
        elif person := _PERSON.match(part):
            names.append(person[0].rstrip(". "))
        start = cut.end() if cut else end
    return distinct(names)[:4]


def _signatories(passages: Sequence[Passage]) -> list[Mention]:
    """Return the organisations above a signature, and those that a definition names."""
    found = []
    for number, passage in enumerate(passages):
        below = "".join(one.text[:40] for one in passages[number + 1 : number + 2])
        for mention in with_legal_form(passage):
            signs = _SIGNED.search(below) is not None
            defined = _DEFINED.match(passage.text[mention.end :]) is not None
            if signs or defined:
                found.append(mention)
    return found
