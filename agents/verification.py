"""What is known of each sentence of an answer: whether the passages it cites say it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agents.grounding import Evidence, Verdict
from agents.sentences import split_sentences

_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_SAYS_ANYTHING = re.compile(r"[^\W_]")
# An answer may say that there is none, which no passage says.
_REFUSES = re.compile(
    r"\b(?:not|no|nothing|none|cannot|without)\b.*\b(?:answer|mention|contain|information|state|say"
    r"|provide|specif|address|includ|found|given)"
    r"|\b(?:answer|mention|contain|say|state|provid|specif)\w* (?:not|no|nothing)\b"
    r"|\b(?:nicht|kein\w*|nichts)\b.*(?:antwort|erwähn|enthalt|angabe|information|hervor|genannt)"
    r"|(?:antwort|enthalt|erwähn|nenn)\w*\b.*\b(?:nicht|kein\w*|nichts)\b"
    r"|\bne\b.*\b(?:pas|aucun\w*|rien)\b|\bno (?:responde|contien|menciona)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence as it was sent, and whether the passages it cites say it."""

    sentence: str
    verdict: Verdict
    reason: str
    citations: tuple[int, ...]  # the numbers the answer uses


@dataclass(frozen=True, slots=True)
class Mark:
    """A place of a line where the model wrote keys."""

    at: int  # behind so many characters of the line without its keys
    sent: str  # what went out there
    passages: tuple[int, ...]  # those that are cited there, by the model's numbers


def check_line(
    line: str, marks: Sequence[Mark], evidence: Evidence, numbers: Mapping[int, int]
) -> Iterator[CheckedSentence]:
    """Yield the sentences of a line that say something, with what the passages say of them.

    `line` is without keys. A sentence without one of its own counts as cited by the next key of
    the line if that passage supports it. `numbers` leads from the model's numbers to the answer's.
    """
    if _HEADING.match(line):
        return
    spans = list(_spans(line))
    for place, (start, end) in enumerate(spans):
        sentence = line[start:end]
        if not _SAYS_ANYTHING.search(sentence):
            continue
        following = spans[place + 1][0] if place + 1 < len(spans) else len(line)
        own = [m for m in marks if (start < m.at or place == 0) and m.at <= following]
        later = [m for m in marks if m.at > following]
        verdict, reason, passages = _check(sentence, own, later, evidence)
        sent = _with_keys(line[start : max([end, *(m.at for m in own)])], start, own)
        yield CheckedSentence(sent, verdict, reason, tuple(numbers[one] for one in passages))


def _spans(line: str) -> Iterator[tuple[int, int]]:
    end = 0
    for sentence in split_sentences(line):
        start = line.index(sentence, end)
        end = start + len(sentence)
        yield start, end


def _check(
    sentence: str, own: Sequence[Mark], later: Sequence[Mark], evidence: Evidence
) -> tuple[Verdict, str, Sequence[int]]:
    cited = _passages(own)
    if cited:
        support = evidence.support(sentence, cited)
        return support.verdict, support.reason, cited
    if _REFUSES.search(sentence):
        return Verdict.UNCITED, "it says what the documents do not", ()
    best, support = evidence.best_passage(sentence)
    if own:
        return Verdict.UNSUPPORTED, support.reason or "no passage has it", ()
    cited = _passages(later[:1])
    if cited and evidence.support(sentence, cited).verdict is Verdict.SUPPORTED:
        return Verdict.SUPPORTED, "", cited
    if support.verdict is Verdict.SUPPORTED:
        return Verdict.UNCITED, f"no key, but it is in {evidence.place(best)}", ()
    return Verdict.UNCITED, f"no key; {support.reason}", ()


def _passages(marks: Sequence[Mark]) -> list[int]:
    return list(dict.fromkeys(number for mark in marks for number in mark.passages))


def _with_keys(sentence: str, start: int, marks: Sequence[Mark]) -> str:
    """Write the keys back into a sentence that begins at `start` of its line."""
    for mark in reversed(marks):
        at = max(0, mark.at - start)
        sentence = sentence[:at] + mark.sent + sentence[at:]
    return sentence.strip()
