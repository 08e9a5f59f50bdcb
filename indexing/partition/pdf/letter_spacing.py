"""Put together words whose letters stand apart: `A N N U A L   R E P O R T`.

So headings are set, and words in old books; nobody would find them letter by letter. Where such
words end shows in the gaps alone. A row of letters that is no word has to stay one: answers,
grades, columns, the signs of a formula.
"""

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

import pypdfium2

from indexing.boxes import Shares
from indexing.partition.pdf.boxes import letter_places
from indexing.partition.pdf.joining_letters import NOT_WRITTEN

MAX_LETTERS = 50_000
MAX_RUNS = 200
"""A page with more of either is left as PDFium has it."""

WIDEST = 0.8  # of the height of the line; the letters of a word stand no farther apart
FARTHEST = 1.6  # the same, where wider gaps part words and all others are the same
EVEN = 0.1  # of the usual gap; so much others differ from it then
WIDER = 1.35  # times the usual gap, and by so much of the height of the line
WIDER_BY = 0.1
NARROWEST = 0.5  # of the usual gap

MIN_DISTINCT = 4
LONG = 4
LONGEST_WORD = 16
"""Letters that no wider gap parts may be two words."""

_RUN = re.compile(r"(?<![\w'’])[^\W_](?: +[^\W_](?![\w'’])){3,}")
_MAY_BE = re.compile(r" [^\W_] +[^\W_] ")  # found, or not, in a fraction of the time
_VOWELS = frozenset("aeiouyαεηιουωаеёиоуыэюяєіıøœæ")
_GRADES = frozenset("abcdefgh")
_MONTHS = 2 * "jfmamjjasond"


def with_words(
    page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str, text: str
) -> str:
    """Return the text with `NOT_WRITTEN` for each space within such a word.

    The text is as long as `raw`, which is that of the page as PDFium has it.
    """
    if len(raw) > MAX_LETTERS or not _MAY_BE.search(text):
        return text
    runs = [match.span() for match in _RUN.finditer(text)]
    if not 0 < len(runs) <= MAX_RUNS:
        return text
    written = list(text)
    for start, end in runs:
        letters = [at for at in range(start, end) if text[at] != " "]
        boxes = letter_places(page, textpage, raw, letters)
        words = _words(letters, boxes * (page.get_size() * 2))
        if _are_words(["".join(text[at] for at in word) for word in words]):
            for before, after in (pair for word in words for pair in pairwise(word)):
                written[before + 1 : after] = NOT_WRITTEN * (after - before - 1)
    return "".join(written)


def _words(letters: Sequence[int], boxes: Shares) -> list[list[int]]:
    """Return the letters of each word, nothing if their gaps are not those of words."""
    gaps = (boxes[1:, 0] - boxes[:-1, 2]).tolist()
    height = float(median((boxes[:, 3] - boxes[:, 1]).tolist()))
    usual = median(gaps)
    wider = WIDER * usual + WIDER_BY * height
    least, most = NARROWEST * usual, WIDEST * height
    if most < usual < FARTHEST * height and max(gaps) > wider:
        # Letters in columns are as far apart from middle to middle, not from end to start.
        least, most = (1 - EVEN) * usual, (1 + EVEN) * usual
    words = [[letters[0]]]
    for gap, letter in zip(gaps, letters[1:], strict=True):
        if gap > wider:
            words.append([letter])
        elif least <= gap <= most:
            words[-1].append(letter)
        else:
            return []
    return words


def _are_words(words: Sequence[str]) -> bool:
    """Tell whether a row of letters reads as words; they are in capitals, or none but the first."""
    plain = ["".join(map(_plain, word)) for word in words]
    letters = "".join(filter(str.isalpha, plain))
    longest = max(plain, key=len, default="")
    is_apart = len(words) > 1 or len(longest) <= LONGEST_WORD
    has_case = all(word.isupper() or word[1:] == word[1:].lower() for word in words)
    return (
        is_apart
        and has_case
        and len(longest) >= LONG
        and len(set(letters)) >= MIN_DISTINCT
        and not _is_list(letters)
        and longest not in _MONTHS
        and all(_is_pronounced(word) for word in plain if len(word) >= LONG and word.isalpha())
    )


def _is_list(letters: str) -> bool:
    steps = [ord(after) - ord(before) for before, after in pairwise(letters)]
    return _GRADES.issuperset(letters) or letters in _MONTHS or 2 * steps.count(1) > len(steps)


def _is_pronounced(word: str) -> bool:
    return 0 < sum(letter in _VOWELS for letter in word) < len(word)


def _plain(letter: str) -> str:
    """Return the small letter without its accents."""
    return unicodedata.normalize("NFD", letter.casefold())[:1]
