"""Tell Vietnamese among what was recognised: of its letters many are not known, and left out."""

import re
from collections.abc import Sequence

FEWEST_WORDS = 3
FEWEST = 1 / 30
"""Of all words, with what no other language has: about one of six in Vietnamese."""

FEWEST_MARKED = 1 / 3
LONGEST_WORD = 7
"""Each word is a syllable, and every other has a mark: then two words tell it in a short text."""

MOST_PINYIN = 1 / 4
"""Of those words: a tone may be taken for one of Chinese, which writes these all over a text."""

FEWEST_FOREIGN = 2
"""So many words have letters that Chinese is never written in; then its tones say nothing."""

FEWEST_TORN_WORDS = 3
FEWEST_TORN = 1 / 8
FEWEST_MARKED_BESIDE = 1 / 4
"""Of all words so many have no vowel left, and so many one with a mark, in a short text."""

_OWN = re.compile(r"\w*[ơư]\w*|\w*[àáãâèéêìíòóõôùúýă]n[gh]")
_NOT_PINYIN = re.compile(r"[đơư]")
_MARKED = re.compile(r"[àáãâèéêìíòóõôùúýăđơư]")
_PINYIN = re.compile(r"[āēīōūǎěǐǒǔ]")
# The consonants that a word begins and those that it ends with.
_TORN = re.compile("(?:[bcdđghklmnprstvx]|[cgkpt]h|ngh?|nh|tr)(?:ch?|m|ng?|nh|p|t)")
_WORD = re.compile(r"[^\W\d_]+")


def is_vietnamese(texts: Sequence[str]) -> bool:
    """Tell whether lines that were recognised are Vietnamese.

    The text recognition knows the letters without a tone, and some with: of `được` comes `đưc`.
    """
    words = [word.lower() for text in texts for word in _WORD.findall(text)]
    if _has_torn_words(words):
        return True
    own = sum(1 for word in words if _OWN.fullmatch(word))
    pinyin = sum(1 for word in words if _PINYIN.search(word))
    foreign = sum(1 for word in words if _NOT_PINYIN.search(word))
    if own < 2 or (pinyin > MOST_PINYIN * own and foreign < FEWEST_FOREIGN):
        return False
    if own >= max(FEWEST_WORDS, FEWEST * len(words)):
        return True
    marked = sum(1 for word in words if _MARKED.search(word))
    return marked >= FEWEST_MARKED * len(words) and max(map(len, words)) <= LONGEST_WORD


def _has_torn_words(words: Sequence[str]) -> bool:
    """Tell whether words have lost their vowels: of `phẩm` comes `phm`, of `một` comes `mt`."""
    if sum(1 for word in words if _TORN.fullmatch(word)) < max(
        FEWEST_TORN_WORDS, FEWEST_TORN * len(words)
    ):
        return False
    marked = sum(1 for word in words if _MARKED.search(word))
    return marked >= FEWEST_MARKED_BESIDE * len(words) and max(map(len, words)) <= LONGEST_WORD
