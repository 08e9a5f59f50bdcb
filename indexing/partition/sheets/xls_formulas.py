"""Tell what formulas in an xls workbook give, by the last of their tokens (in postfix order).

Tokens and the numbers of functions: [MS-XLS], 2.5.198, and 2.5.198.17 (Ftab).
"""

import re

_CELL_TOKENS_AT, _SHARED_TOKENS_AT = 22, 10  # behind their length
_SHORTEST_CALL = 4  # with a value before it, or the count of none
_CONCATENATED = 0x08
_TEXT = re.compile(b"\\x17(?=.[\0\1])", re.DOTALL)
# Calls, by what their result may be used for; behind stands the number of the function.
_OF_FIXED_COUNT = b"\x21\x41\x61"
_OF_ANY_COUNT = b"\x22\x42\x62"  # first comes the count of values
_GIVE_TEXT = frozenset((13, 30, 31, 48, 111, 112, 113, 114, 115, 116, 118, 120, 336))
"""DOLLAR, REPT, MID, TEXT, CHAR, LOWER, UPPER, PROPER, LEFT, RIGHT, TRIM, SUBSTITUTE and
CONCATENATE."""
_IF_THEN_ELSE = tuple(bytes((call, 3, 1, 0)) for call in _OF_ANY_COUNT)
_GO = re.compile(
    b"\\x19\\x08(?=..)", re.DOTALL
)  # from behind each of the two values to behind the call, so many bytes and one


def tokens_of_cell(formula: bytes) -> bytes:
    """Return the tokens of a formula, a record of a cell."""
    return _tokens(formula, _CELL_TOKENS_AT)


def tokens_shared(formula: bytes) -> bytes:
    """Return the tokens of a formula, a record of what several cells have in common."""
    return _tokens(formula, _SHARED_TOKENS_AT)


def gives_text(tokens: bytes) -> bool:
    """Tell whether the value of a formula can be nothing but a text, whatever an IF may choose."""
    ends, seen = [len(tokens)], {0}
    while ends:
        end = ends.pop()
        value = tokens[:end]
        is_choice = value.endswith(_IF_THEN_ELSE)
        if end not in seen and is_choice:
            ends += _ends_of_choices(value)
        elif not is_choice and not _is_text(value):
            return False
        seen.add(end)
    return True


def _tokens(formula: bytes, at: int) -> bytes:
    length = int.from_bytes(formula[at - 2 : at], "little")
    return formula[at : at + length]


def _ends_of_choices(tokens: bytes) -> list[int]:
    """Return where the tokens end that each value of the IF at their end is reached by."""
    places = [found.start() for found in _GO.finditer(tokens)]
    ends = [at for at in places if at + 5 + _word(tokens, at + 2) == len(tokens)]
    return ends or [0]


def _is_text(tokens: bytes) -> bool:
    return _is_constant(tokens) or (
        len(tokens) >= _SHORTEST_CALL and (tokens[-1] == _CONCATENATED or _is_call_for_text(tokens))
    )


def _is_call_for_text(tokens: bytes) -> bool:
    is_call = tokens[-3] in _OF_FIXED_COUNT or tokens[-4] in _OF_ANY_COUNT
    return is_call and _word(tokens, -2) in _GIVE_TEXT


def _is_constant(tokens: bytes) -> bool:
    """Tell whether the last token is a text itself: its length and width, and the characters."""
    heads = (found.start() for found in _TEXT.finditer(tokens))
    return any(at + 3 + tokens[at + 1] * (tokens[at + 2] + 1) == len(tokens) for at in heads)


def _word(tokens: bytes, at: int) -> int:
    return tokens[at] + (tokens[at + 1] << 8)
