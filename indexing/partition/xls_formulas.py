"""Tell what formulas in an xls workbook give, by the last of their tokens (in postfix order).

Tokens and the numbers of functions: [MS-XLS], 2.5.198, and 2.5.198.17 (Ftab).
"""

_LENGTH_AT, _TOKENS_AT = 20, 22
_SHORTEST_CALL = 4  # with a value before it, or the count of none
_CONCATENATED = 0x08
# Calls, by what their result may be used for; behind stands the number of the function.
_OF_FIXED_COUNT = b"\x21\x41\x61"
_OF_ANY_COUNT = b"\x22\x42\x62"  # first comes the count of values
_GIVE_TEXT = frozenset((13, 30, 31, 48, 111, 112, 113, 114, 115, 116, 118, 120, 336))
"""DOLLAR, REPT, MID, TEXT, CHAR, LOWER, UPPER, PROPER, LEFT, RIGHT, TRIM, SUBSTITUTE and
CONCATENATE."""


def gives_text(formula: bytes) -> bool:
    """Tell whether the value of a formula, a record of a cell, can be nothing but a text."""
    length = int.from_bytes(formula[_LENGTH_AT:_TOKENS_AT], "little")
    tokens = formula[_TOKENS_AT : _TOKENS_AT + length]
    if len(tokens) < _SHORTEST_CALL:
        return False
    is_call = tokens[-3] in _OF_FIXED_COUNT or tokens[-4] in _OF_ANY_COUNT
    return tokens[-1] == _CONCATENATED or (
        is_call and int.from_bytes(tokens[-2:], "little") in _GIVE_TEXT
    )
