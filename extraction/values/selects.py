"""Find the options of a field in a text, and turn what was said into options."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from extraction.types import Found, Habit, Option, RequestedField
from extraction.values import numbers
from extraction.values.numbers import json_number
from extraction.values.writing import folded, without_overlaps

_TRUTH = {True: ("true", "yes"), False: ("false", "no")}
_GAP = re.compile(r"[\s_\u00a0-]+")
_BETWEEN_OPTIONS = re.compile(r"[,;|/\n]")


def find(text: str, field: RequestedField, habit: Habit) -> list[Found]:
    """Return the places where an option is named as whole words, each with that one option."""
    small = folded(text)
    mentions = (
        Found(*match.span(), option)
        for option in field.options
        if json_number(option) is None
        for name in _names(option)
        for match in _mention(name).finditer(small)
    )
    return without_overlaps([*mentions, *_numbers_among_options(text, field, habit)])


def normalise_one(raw: object, field: RequestedField, habit: Habit) -> Option | None:
    """Return the option that was meant, exactly as it was given; None where it is none of them."""
    if not isinstance(raw, str | int | float):
        return None
    for option in field.options:
        if _is_same(option, raw):
            return option
    alike = [option for option in field.options if _is_alike(raw, option)]
    return alike[0] if len(alike) == 1 else None


def normalise_many(raw: object, field: RequestedField, habit: Habit) -> list[Option] | None:
    """Return the options that were meant, in their order and each once; None where none was."""
    said = raw if isinstance(raw, list | tuple | set | frozenset) else [raw]
    meant = [option for one in said for option in _options_in(one, field, habit)]
    chosen: list[Option] = []
    for option in field.options:
        if _is_among(option, meant) and not _is_among(option, chosen):
            chosen.append(option)
    return chosen or None


def _options_in(raw: object, field: RequestedField, habit: Habit) -> Iterator[Option]:
    """Yield the option that was meant, or those of a list that was written as one text."""
    whole = normalise_one(raw, field, habit)
    parts = _BETWEEN_OPTIONS.split(raw) if whole is None and isinstance(raw, str) else ()
    for option in (whole, *(normalise_one(part, field, habit) for part in parts)):
        if option is not None:
            yield option


def _is_same(option: Option, other: Option) -> bool:
    """Compare as JSON does: true is not 1."""
    return isinstance(option, bool) == isinstance(other, bool) and option == other


def _is_among(option: Option, options: Iterable[Option]) -> bool:
    return any(_is_same(option, other) for other in options)


def _is_alike(raw: Option, option: Option) -> bool:
    return not set(_names(raw)).isdisjoint(_names(option))


def _numbers_among_options(text: str, field: RequestedField, habit: Habit) -> Iterator[Found]:
    options = [option for option in field.options if json_number(option) is not None]
    if options:
        for found in numbers.find(text, field, habit):
            yield from (
                Found(found.start, found.end, option) for option in options if option == found.value
            )


def _names(option: Option) -> tuple[str, ...]:
    """Return the words by which an option is known, folded; a number as JSON has it."""
    if isinstance(option, bool):
        return _TRUTH[option]
    number = json_number(option)
    return (_GAP.sub(" ", folded(str(option if number is None else number))).strip(),)


@lru_cache(maxsize=1_000)
def _mention(name: str) -> re.Pattern[str]:
    words = r"[\s_\u00a0-]+".join(map(re.escape, name.split(" ")))
    return re.compile(rf"(?<!\w){words}(?!\w)" if name else r"(?!)")
