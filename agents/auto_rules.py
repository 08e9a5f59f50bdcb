"""What a question and its evidence ask of a model: the first rule of `auto` that holds.

A question is read by signs that need no model: question marks, digits, years, its length, and the
words with which the larger European languages compare, compute, join and explain. Words are
compared without case and accents. In any other language the signs without words decide.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from agents import question_words as words
from config.model_table import AutoRule
from indexing.types import Chunk

LONG_EVIDENCE_TOKENS = 16_000
"""From here on models differ in how much of a long prompt they really use."""

NARROW_MARGIN = 0.08
"""So much more than the mean of those behind it must the best passage score, to stand out.

On the development sets the best passage was the right one half as often below this as above it
(squad .43 of .88, hotpotqa100 .50 of .91), or a third as often (mmlongbench .19 of .60).
"""

COMPARED_PASSAGES = 8
"""How many passages, the best first, the margin is measured over."""

BEST_PASSAGES = 4
"""So many are looked at for figures; half of them must be such."""

SHORT_QUESTION_WORDS = 15

SIGNIFICANT_CHARACTERS = 1_000
"""A question is read so far: looking for pairs of words takes time with the square of it."""

BYTES_PER_TOKEN = 3


def _compiled(*patterns: str) -> list[re.Pattern[str]]:
    return [re.compile(pattern) for pattern in patterns]


_ASKS = words.any_of(words.QUESTION)
_YEAR = r"\b(?:fy\s?)?(?:19|20)\d\d\b"
_YEARS = rf"{_YEAR}(?:,\s*{_YEAR})*,?\s*{words.any_of(words.AND)}\s+{_YEAR}"

_COMPARISONS = _compiled(
    words.any_of(words.COMPARING),
    # More than a number is a limit.
    words.any_of(words.MORE_THAN) + r"(?!\s+(?:[\d$€£]|an?\b|one\b))",
    # One of two is to be chosen.
    words.pair_of(words.COMPARATIVE, words.OR),
    "^" + words.pair_of(words.QUESTION, words.OR, r"[^?]*[,:]\s[^,;?]+\s") + r"\s[^,;?]+\?*\s*$",
    # Do two of them share something?
    rf"^(?!{_ASKS}).*{words.pair_of(words.AND, words.SHARING)}",
    rf"^(?!{_ASKS}).*{words.pair_of(words.SHARING, words.AND)}",
)
_SEVERAL_PARTS = _compiled(
    r"[?？؟][^?？؟]*\w[^?？؟]*[?？؟]",
    r"(?:^|\s)\(?[1a][.)]\s.*\s\(?[2b][.)]\s",
    # Not the blank that is to be filled: "between the lake and what other town?"
    r"\w\W+(?!and\swhat\W*$)"
    + words.pair_of(words.AND, words.QUESTION, r"\s(?:\w{1,4}\s)?")
    + r"(?!\s(?:else|other)\b)",
    # Single years, not the two ends of a time.
    rf"(?<!\bbetween\s)(?<!\bzwischen\s)(?<!\bentre\s){_YEARS}",
    words.any_of(words.JOINING),
)
_COMPUTATIONS = _compiled(
    words.any_of(words.COMPUTING),
    r"\d\s*[*×÷+]\s*[\d(]",
    # How much something changed between two dates.
    words.pair_of(words.CHANGING, words.FROM) + r"\D{0,12}\d",
)
_EXPLANATIONS = _compiled(
    words.any_of(words.EXPLAINING),
    "^" + words.any_of(words.BEGINNING_TO_EXPLAIN),
)

_WORD = re.compile(r"[぀-ヿ一-鿿가-힣]|[^\W_]+")
_FIGURE = re.compile(r"^Figure: ", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[^\n]* \| [^\n]*$", re.MULTILINE)
_TABLE_ROWS = 2


def first_rule(
    question: str, chunks: Sequence[Chunk] = (), *, advanced_reasoning: bool = False
) -> AutoRule:
    """Return the first rule that holds; `chunks` are the evidence, best first."""
    text = _plain(question[:SIGNIFICANT_CHARACTERS])
    rules = (
        (AutoRule.ADVANCED_REASONING, advanced_reasoning),
        (AutoRule.COMPARISON, _matches(_COMPARISONS, text)),
        (AutoRule.SEVERAL_PARTS, _matches(_SEVERAL_PARTS, text)),
        (AutoRule.COMPUTATION, _matches(_COMPUTATIONS, text)),
        (AutoRule.LONG_EVIDENCE, evidence_tokens(chunks) >= LONG_EVIDENCE_TOKENS),
        (AutoRule.FIGURES, _mostly_figures(chunks)),
        (AutoRule.NARROW_MARGIN, _is_narrow(chunks)),
        (AutoRule.SINGLE_FACT, _asks_one_fact(text)),
    )
    return next((rule for rule, holds in rules if holds), AutoRule.STANDARD)


def evidence_tokens(chunks: Sequence[Chunk]) -> int:
    """Return about how many tokens the passages have."""
    return sum(estimated_tokens(chunk.content) for chunk in chunks)


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has, rather too many than too few.

    A token of English is some four bytes, one of Chinese or of a table of numbers less than three.
    """
    return len(text.encode()) // BYTES_PER_TOKEN


def _plain(question: str) -> str:
    """Return the question from its first word on, in small letters without accents."""
    decomposed = unicodedata.normalize("NFKD", question.casefold())
    # Not the marks of other scripts, which make other letters of them.
    letters = re.sub(r"[\u0300-\u036f]", "", decomposed)
    return re.sub(r"^\W+", "", " ".join(unicodedata.normalize("NFKC", letters).split()))


def _matches(patterns: Iterable[re.Pattern[str]], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def _mostly_figures(chunks: Sequence[Chunk]) -> bool:
    """Tell whether half of the best passages are descriptions of figures, or tables."""
    best = chunks[:BEST_PASSAGES]
    return bool(best) and 2 * sum(_is_figure(chunk.content) for chunk in best) >= len(best)


def _is_figure(content: str) -> bool:
    return bool(_FIGURE.search(content)) or len(_TABLE_ROW.findall(content)) >= _TABLE_ROWS


def _is_narrow(chunks: Sequence[Chunk]) -> bool:
    """Tell whether the best passage hardly scores higher than those behind it do on average."""
    best, *rest = [chunk.score for chunk in chunks[:COMPARED_PASSAGES]] or [0.0]
    return bool(rest) and best - sum(rest) / len(rest) < NARROW_MARGIN


def _asks_one_fact(text: str) -> bool:
    """Tell whether a question is short and none of those that ask for an explanation."""
    is_short = 0 < len(_WORD.findall(text)) <= SHORT_QUESTION_WORDS
    return is_short and not _matches(_EXPLANATIONS, text)
