"""The order in which letters are read that stand beside each other, also from right to left.

The rules are those of the Unicode bidirectional algorithm (UAX 9), as far as they need no marks
that cannot be seen, applied to what is seen: for a line this leads back to what was written, but
where several texts look the same.
"""

import itertools
import re
import unicodedata
from collections.abc import Sequence

_FROM_RIGHT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]")
_FROM_LEFT = re.compile(r"[^\W\d_]")

_NUMBERS = ("EN", "AN")
_STRONG = ("L", "R", "AL")
_OPENING, _CLOSING = "([{", ")]}"
_BREAKS = tuple("-/?&=_")
"""Behind these a name or an address may go on in the next line."""


def runs_from_right(text: str) -> bool:
    """Tell whether most letters of the text belong to scripts that are read from right to left."""
    from_right = sum(map(str.isalpha, _FROM_RIGHT.findall(text)))
    return bool(from_right) and 2 * from_right >= len(_FROM_LEFT.findall(text))


def has_letters_from_right(text: str) -> bool:
    """Tell whether anything in the text is read from right to left."""
    return not text.isascii() and _FROM_RIGHT.search(text) is not None


def levels(seen: str, gaps: Sequence[int] = (), *, from_right: bool) -> list[int]:
    """Return the level of each letter of a line that is given as it is seen, from the left.

    Those of odd levels are read from right to left: with `from_right` that is most of the line
    (level 1), but for numbers and words from left to right (level 2). No words belong together
    across `gaps`, the places of letters before which much is left free.
    """
    edges = [0, *gaps, len(seen)]
    parts = itertools.starmap(slice, itertools.pairwise(edges))
    of_part = _from_right if from_right else _from_left
    return [level for part in parts for level in of_part(seen[part])]


def reading_order(levels: Sequence[int]) -> list[int]:
    """Return the places of the letters in the order in which they are read (rule L2)."""
    order = list(range(len(levels)))
    for least in range(max(levels, default=0), 0, -1):
        start = 0
        for is_turned, run in itertools.groupby([levels[place] >= least for place in order]):
            end = start + sum(1 for _ in run)
            if is_turned:
                order[start:end] = order[start:end][::-1]
            start = end
    return order


def _from_right(seen: str) -> list[int]:
    """Return the levels of a line that is read from right to left."""
    classes = _numbers(_classes(seen, from_right=True))
    found = [2 if one in _NUMBERS else 1 for one in classes]
    for start, end in _joined(classes, ("L",), ("L", *_NUMBERS)):
        following = seen[end : end + 1]
        is_broken = start == 0 and following in _BREAKS
        end += is_broken or _closes(seen[start:end], following)
        found[start:end] = [2] * (end - start)
    return found


def _from_left(seen: str) -> list[int]:
    """Return the levels of a line that is read from left to right."""
    classes = _numbers(_classes(seen, from_right=False))
    found = [0] * len(classes)
    from_right = ("R", "AL")
    for start, end in _joined(classes, from_right, from_right):
        found[start:end] = [2 if one in _NUMBERS else 1 for one in classes[start:end]]
    return found


def _classes(seen: str, *, from_right: bool) -> list[str]:
    """Return the class of each letter; numbers behind Arabic letters are Arabic ones (rule W2)."""
    classes = [unicodedata.bidirectional(letter) for letter in seen]
    if from_right:
        before = "R"  # what is read before stands to the right
        for at in range(len(classes) - 1, -1, -1):
            if classes[at] in _STRONG:
                before = classes[at]
            elif classes[at] == "EN" and before == "AL":
                classes[at] = "AN"
    return classes


def _numbers(classes: list[str]) -> list[str]:
    """Let what parts the digits of a number, and signs beside it, be part of it (W4, W5)."""
    for at in range(1, len(classes) - 1):
        one, other = classes[at - 1], classes[at + 1]
        parts = classes[at] == "CS" or (classes[at] == "ES" and one == "EN")
        if parts and one == other and one in _NUMBERS:
            classes[at] = one
    for places in (range(1, len(classes)), range(len(classes) - 2, -1, -1)):
        step = places.step
        for at in places:
            if classes[at] == "ET" and classes[at - step] == "EN":
                classes[at] = "EN"
    return classes


def _joined(
    classes: Sequence[str], ends: Sequence[str], within: Sequence[str]
) -> list[tuple[int, int]]:
    """Return the parts that begin with one of `ends`, and end with one of `within`.

    What has no direction, and numbers, may stand between; other letters may not.
    """
    found: list[tuple[int, int]] = []
    start = last = -1
    for at, one in enumerate(classes):
        if start < 0:
            if one in ends:
                start = last = at
        elif one in within:
            last = at
        elif one in _STRONG:
            found.append((start, last + 1))
            start = -1
    if start >= 0:
        found.append((start, last + 1))
    return found


def _closes(text: str, following: str) -> bool:
    """Tell whether what follows closes a bracket of the text (rule N0)."""
    kind = _CLOSING.find(following) if following else -1
    return kind >= 0 and text.count(_OPENING[kind]) > text.count(_CLOSING[kind])
