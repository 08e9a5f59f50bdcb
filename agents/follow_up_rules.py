"""Complete a question that leans on the one before it, without a language model.

A fragment takes the place of what is of its kind in the question before ("and in 2023?" that of the
year). A pronoun gives way to what it stands for. Where it is not clear what is meant, the question
before is put in front: a search finds what either is about.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial

from agents.follow_up_words import FOLLOW_UP_WORDS, FollowUpWords, language_of_question
from agents.history import Turn
from agents.names import LONGEST_TEXT, is_small_word, names

_MOST_FRAGMENT_WORDS = 8

_WORD = re.compile(r"[^\W_](?:[\w.&’'-]*\w)?")
_YEAR = re.compile(r"(?<!\d)(?:FY ?)?(?:1[5-9]|20)\d\d(?!\d)")
_QUARTER = re.compile(r"\bQ[1-4]\b|\b(?:first|second|third|fourth) quarter\b|\b[1-4]\. Quartal\b")
_PERIOD_NOUN = re.compile(r"(?:year|years|jahr|jahre|jahren|année|an|año|años|anno|anni)")
_END = re.compile(r"[\s?!.¿¡]+$")
_BEGIN = re.compile(r"^[\s¿¡,]+")

# They ask for circumstances, not for what stands behind "is".
_CIRCUMSTANCES = re.compile(
    r"(?:when|where|why|wann|wo|warum|quand|où|pourquoi|cuándo|dónde|quando|dove|perché)",
    re.IGNORECASE,
)
_ASKS_FOR_NAME = re.compile(
    r"\W*(?:and |und |et |y |e )?(?:who|which|what(?! (?:is|are|was|were|do|does|did)\b)|where|wer"
    r"|welche[rsnm]?|wo|qui|quel(?:le)?s?|où|quién(?:es)?|cuál|dónde|chi|quale|dove)\b",
    re.IGNORECASE,
)
_ASKS_FOR_PERSON = re.compile(r"\W*(?:who|wer|qui|quién|chi)\b", re.IGNORECASE)
_DO = re.compile(r"\b(?:do|does|did)\b", re.IGNORECASE)
_PARTICIPLE = re.compile(r"\w+ed|made|paid|built|written|sold|born|held|won")
_TAIL = re.compile(
    r"(?:of|with|for|between|von|mit|für|zwischen|de|du|des|d[’']|avec|del|con|di|della)",
    re.IGNORECASE,
)
_GERMAN_NOUN = re.compile(
    r"\b(?:der|die|das|den|dem|des|eine?[nmrs]?|im|am|zum|zur|beim|vom|welche[rsnm]?|viele?|hohe[rn]?)"
    r"\s+(?:[a-zäöüß]\w*\s+)*[A-ZÄÖÜ][\w-]*",
)


def leans(question: str, before: str) -> bool:
    """Tell whether a question cannot be understood without the one before it."""
    words = FOLLOW_UP_WORDS[language_of_question(f"{before} {question}")]
    said = _without_opening(question, words)
    if said != _bare(question) or _is_fragment(said, words):
        return True
    if all(map(is_small_word, _WORD.findall(said))):
        return True
    references = (words.persons, words.things, words.places, words.years)
    return any(_find(one, said) for one in references) or _has_open_owner(said, words)


def completed_by_rules(question: str, turns: Sequence[Turn]) -> str:
    """Return the question with what it leaves out; each turn before it is completed first."""
    last, *others = turns
    for turn in others:
        last = Turn(_completed(turn.query, last), turn.response)
    return _completed(question, last)


def _completed(question: str, last: Turn) -> str:
    if not leans(question, last.query):
        return question
    words = FOLLOW_UP_WORDS[language_of_question(f"{last.query} {question}")]
    said = _without_opening(question, words)
    if _is_fragment(said, words):
        found = _with_period(said, last.query, words) or _with_thing(said, last.query, words)
    else:
        found = _with_references(said, last, words)
    return found or f"{last.query} {question}"


def _without_opening(question: str, words: FollowUpWords) -> str:
    """Return a question without the words that only tie it to the one before."""
    said = _bare(question)
    while match := re.match(rf"{words.openings}\b[\s,]*(?=\S)", said, re.IGNORECASE):
        said = said[match.end() :]
    return said


def _bare(question: str) -> str:
    return _END.sub("", _BEGIN.sub("", question))


def _is_fragment(said: str, words: FollowUpWords) -> bool:
    """Tell a few words without a question word or a verb from a question."""
    found = [word.casefold() for word in _WORD.findall(said)]
    parts = {part for word in found for part in re.split(r"[’'-]", word)} | set(found)
    return len(found) <= _MOST_FRAGMENT_WORDS and parts.isdisjoint(
        words.question_words | words.auxiliaries
    )


def _with_period(said: str, before: str, words: FollowUpWords) -> str | None:
    """Put the years and quarters of a fragment in the place of those before; None if it has more.

    Where the question before names none, they are added to it.
    """
    rest, completed, added = said, before, False
    for pattern in (_QUARTER, _YEAR):
        new = list(pattern.finditer(said))
        if not new:
            continue
        old = set(pattern.findall(before))
        if len(old) > 1:
            return None
        added = added or not old
        completed = pattern.sub(said[new[0].start() : new[-1].end()], completed)
        rest = pattern.sub(" ", rest)
    if rest == said:
        return None
    others = [word for word in _WORD.findall(rest) if not is_small_word(word)]
    others = [word for word in others if not _PERIOD_NOUN.fullmatch(word.casefold())]
    if others:
        # "And Bosch in 2023?": the year is in its place now, and the name comes next.
        return None if added else _with_thing(_trimmed(rest), completed, words)
    return f"{_END.sub('', before)} {said}?" if added else completed


def _with_thing(said: str, before: str, words: FollowUpWords) -> str | None:
    """Put a name or a noun in the place of the one before; None if it is not clear which."""
    named = _proper_names(said)
    if not named:
        return _with_noun(said, before, words)
    rest = said
    for name in named:
        rest = rest.replace(name, " ")
    if any(not is_small_word(word) for word in _WORD.findall(rest)):
        return None
    new = said[said.find(named[0]) : said.find(named[-1]) + len(named[-1])]
    old = _proper_names(before)
    if len(old) > 1:
        preposition = _WORD.findall(said[: said.find(named[0])])[:1]
        old = [one for one in old if preposition and f" {preposition[0]} {one}" in before]
    if len(old) != 1:
        return None
    completed = before.replace(old[0], new)
    if not new.endswith("s"):
        # "Siemens' revenue" becomes "Bosch's revenue".
        completed = re.sub(rf"{re.escape(new)}[’'](?= )", lambda _: f"{new}'s", completed)
    return completed


def _with_noun(said: str, before: str, words: FollowUpWords) -> str | None:
    """Put "the deposit" in the place of "the rent" in "What is the rent of the warehouse?"."""
    first_word = _WORD.search(before)
    if first_word is None or _CIRCUMSTANCES.fullmatch(first_word[0]):
        return None
    noun = rf"{words.articles}(?:\s+|(?<=[’']))"
    match = re.match(rf"(.*?\b{words.copula}\s+)({noun})(.*)$", before, re.IGNORECASE)
    if match is None or not re.match(noun, said, re.IGNORECASE):
        return None
    head, _, rest = match.groups()
    tokens = rest.split()
    length = next((n for n, one in enumerate(tokens) if is_small_word(one)), len(tokens))
    tail = " ".join(tokens[length:])
    return f"{head}{said} {tail}" if tail else f"{head}{said}?"


def _with_references(said: str, last: Turn, words: FollowUpWords) -> str | None:
    """Put what the pronouns stand for in their place; None if that is not clear.

    In languages with cases or clitics the question stays as it is, and it is added in brackets.
    """
    thing, person = partial(_thing, last, words), partial(_person, last, words)
    owner = person if _named_by_answer(last) else thing
    meant: list[tuple[str, Callable[[], str | None]]] = [
        (words.persons, person),
        (words.owners, owner),
        (words.things, thing),
        (words.places, partial(_place, last)),
        (words.years, partial(_year, last)),
    ]
    is_english = words is FOLLOW_UP_WORDS["english"]
    completed, added = said, list[str]()
    for pattern, antecedent in meant:
        if not _find(pattern, completed):
            continue
        stands_for = antecedent()
        if stands_for is None:
            return None
        if is_english:
            ending = "'s" if pattern == words.owners else ""
            prefix = "in " if pattern in (words.years, words.places) else ""
            completed = _replaced(pattern, f"{prefix}{stands_for}{ending}", completed)
        elif stands_for not in added:
            added.append(stands_for)
    if completed == said and not added:
        return None
    brackets = f" ({', '.join(added)})" if added else ""
    mark = "¿" if words is FOLLOW_UP_WORDS["spanish"] else ""
    return f"{mark}{completed[0].upper()}{completed[1:]}{brackets}?"


def _thing(last: Turn, words: FollowUpWords) -> str | None:
    """Return what "it" is: the answer's name if one was asked for, else what the question is of."""
    named = _proper_names(last.query)
    answered = _named_by_answer(last)
    if answered and not _ASKS_FOR_PERSON.match(last.query):
        return answered
    if noun := _noun_phrase(last.query, words):
        return noun
    return f" {words.joined} ".join(named) if named else answered


def _person(last: Turn, words: FollowUpWords) -> str | None:
    """Return who "she" is: whom the answer names, else whom the question names."""
    if answered := _named_by_answer(last):
        return answered
    named = _proper_names(last.query)
    full = [one for one in named if " " in one]
    if len(full or named) == 1:
        return (full or named)[0]
    return None if named else _noun_phrase(last.query, words)


def _place(last: Turn) -> str | None:
    named = _proper_names(last.query)
    return _named_by_answer(last) or (named[-1] if named else None)


def _year(last: Turn) -> str | None:
    for text in (last.query, last.response):
        years: set[str] = set(_YEAR.findall(text))
        if len(years) == 1:
            return years.pop()
    return None


def _named_by_answer(last: Turn) -> str | None:
    """Return the first name that the answer brings in, where the question asked for one."""
    if not _ASKS_FOR_NAME.match(last.query):
        return None
    known = last.query.casefold()
    brought = (one for one in _proper_names(last.response) if one.casefold() not in known)
    return next(brought, None)


def _noun_phrase(question: str, words: FollowUpWords) -> str | None:
    """Return the first noun with its article, and what belongs to it: "the lease of Hamburg"."""
    match = re.search(rf"(?<!\w){words.articles}(?:\s+|(?<=[’']))(?=\w)", question, re.IGNORECASE)
    if match is None:
        return None
    tokens = _END.sub("", question[match.end() :]).split()
    length = next((n for n, one in enumerate(tokens) if is_small_word(one)), len(tokens))
    noun = tokens[: min(length, words.noun_words)]
    if length < len(tokens) and _TAIL.fullmatch(tokens[length]):
        tail = tokens[length + 1 :]
        ends = next((n for n, one in enumerate(tail) if n and is_small_word(one)), len(tail))
        noun += [tokens[length], *tail[:ends]]
    # "does the lease end", "was the lease signed": the verb stands behind its subject.
    is_split = _DO.search(question[: match.start()]) and noun[-1:] and noun[-1].islower()
    if len(noun) > 1 and (is_split or _PARTICIPLE.fullmatch(noun[-1])):
        noun.pop()
    return f"{match[0]}{' '.join(noun)}" if noun else None


def _proper_names(text: str) -> list[str]:
    """Return the names but for years; a German noun behind its article is none."""
    text = _QUARTER.sub(",", _YEAR.sub(",", text[:LONGEST_TEXT]))
    if language_of_question(text) == "german":
        text = _GERMAN_NOUN.sub(",", text)
    return names(text)


def _has_open_owner(said: str, words: FollowUpWords) -> bool:
    """Tell whether "its" has nobody to belong to in its own question."""
    match = _find(words.owners, said)
    return match is not None and not _proper_names(said[: match.start()])


def _find(pattern: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)


def _replaced(pattern: str, new: str, text: str) -> str:
    return re.sub(rf"(?<!\w){pattern}(?!\w)", lambda _: new, text, flags=re.IGNORECASE)


def _trimmed(text: str) -> str:
    """Return a text without the small words at its ends."""
    tokens = text.split()
    while tokens and is_small_word(tokens[-1]):
        tokens.pop()
    return " ".join(tokens)
