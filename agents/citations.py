"""Citations in a streamed answer: every key names a passage that has what it stands behind."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.grounding import Evidence, Verdict
from agents.outgoing import OutgoingText
from agents.sentences import split_sentences
from agents.verification import CheckedSentence, Mark, check_line
from indexing.types import Chunk

UNCONFIRMED = "{count} of {total} statements above are not confirmed by the documents."

_NAME = "source_id"
_OPENING = r"<[ \t]{0,3}/?[ \t]{0,3}"
_INSIDE = r"[^<>\n]{0,60}"
# A model may write a key in other ways, or several numbers in one; ours is written in one way.
_KEY = re.compile(rf"{_OPENING}{_NAME}({_INSIDE})>", re.IGNORECASE)
_BROKEN_KEY = re.compile(rf"{_OPENING}{_NAME}", re.IGNORECASE)
_BEGUN_NAME = "|".join(_NAME[:end] for end in range(1, len(_NAME)))
_UNFINISHED = re.compile(rf"{_OPENING}(?:{_BEGUN_NAME}|(?P<name>{_NAME}){_INSIDE})?", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_STOP = re.compile(r"[<\n]")
_BLANKS = " \t"
_WORD = re.compile(r"[^\W_]")
_BULLET = re.compile(r"\A\s*(?:\d{1,3}[.)]\s)?")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)")
_TABLE_RULE = re.compile(r"\s*\|?[\s:|-]*--[\s:|-]*")


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage that the answer cites, by the number the answer uses."""

    number: int
    chunk: Chunk

    @property
    def key(self) -> str:
        """The form in which the answer's text names it."""
        return f"<source_id={self.number}>"


class CitationStream:
    """Passes a model's words on, with the keys of the passages that have what it says.

    Words go out as they come, keys when they are whole. A key stands for the statement before it:
    the sentence, or its part since the last key. If the passage does not have it, the key of the
    one that does goes out, or none. A key in front of its statement is moved behind it. Keys are
    numbered in order of first use. Addresses that no passage has are left out
    (`agents/outgoing.py`). What goes out is, put together, the whole answer.
    """

    def __init__(self, chunks: Sequence[Chunk], *, strict: bool = False) -> None:
        self.verification: list[CheckedSentence] = []  # of the lines that are finished
        self._chunks = chunks
        self._strict = strict
        self._words = OutgoingText([chunk.content for chunk in chunks])
        self._evidence = Evidence(chunks)
        self._numbers: dict[int, int] = {}  # the model's number → ours
        self._held = ""
        self._swallows_blanks = False  # a key between two blanks was left out
        self._in_code = False
        self._line = _Line()
        self._cited = _Cited()

    @property
    def citations(self) -> list[Citation]:
        """The passages cited so far, in order of first use."""
        return [
            Citation(number, self._chunks[named - 1]) for named, number in self._numbers.items()
        ]

    def feed(self, delta: str) -> str:
        """Return what can go out now that the model has said this."""
        text = self._words.feed(delta)
        if self._held or self._swallows_blanks or _STOP.search(text):
            return self._pass_on(self._held + text, final=False)
        return self._line.add(text)

    def close(self) -> str:
        """Return what was held back, and in strict mode how much of the answer is unsupported."""
        rest = self._pass_on(self._held + self._words.close(), final=True) + self._end_line()
        unsupported = sum(one.verdict is Verdict.UNSUPPORTED for one in self.verification)
        if self._strict and unsupported:
            rest += f"\n\n{UNCONFIRMED.format(count=unsupported, total=len(self.verification))}"
        return rest

    def _pass_on(self, text: str, *, final: bool) -> str:
        out: list[str] = []
        at = 0
        while stop := _STOP.search(text, at):
            out.append(self._say(text[at : stop.start()]))
            at = stop.start()
            decided = self._decide(text, at, final=final)
            if decided is None:
                break
            goes_out, at = decided
            out.append(goes_out)
        else:
            out.append(self._say(text[at:]))
            at = len(text)
        self._held = text[at:]
        return "".join(out)

    def _decide(self, text: str, at: int, *, final: bool) -> tuple[str, int] | None:
        """Return what goes out for what begins here, and where it ends; None if that is open."""
        if text[at] == "\n":
            return self._end_line() + "\n", at + 1
        if key := _KEY.match(text, at):
            return self._put_key([int(number) for number in _NUMBER.findall(key[1])]), key.end()
        unfinished = _UNFINISHED.fullmatch(text, at)
        if unfinished and not final:
            return None
        if unfinished and unfinished["name"]:
            return "", len(text)  # The answer broke off within a key.
        return self._say("‹" if _BROKEN_KEY.match(text, at) else "<"), at + 1

    def _say(self, text: str) -> str:
        if self._swallows_blanks and text:
            text = text.lstrip(_BLANKS)
            self._swallows_blanks = not text
        return self._line.add(text)

    def _put_key(self, named: list[int]) -> str:
        """Return the keys to send in place of the one the model wrote."""
        passages = self._passages(named)
        if passages:
            return self._mark(passages)
        if self._line.ends_in_a_word:
            return self._line.add(" ")  # No two words that the key stood between may become one.
        self._swallows_blanks = True
        return ""

    def _passages(self, named: list[int]) -> list[int]:
        """Return the passages to cite here; keys that come too early for that are kept waiting."""
        line = self._line
        if statement := line.last_statement():
            if line.keys_lead:
                named, line.waiting = line.waiting, named
            else:
                named, line.waiting = [*line.waiting, *named], []
            if not self._evidence.leads_on(statement):
                self._cited = _Cited(statement, named)
                passages = self._evidence.passages_for(statement, named)
                line.marks += [] if passages else [Mark(line.length, "", ())]
                return passages
        elif line.marks or (self._cited.is_open and not line.has_words):
            self._cited.named += named
            found = self._evidence.passages_for(self._cited.statement, self._cited.named)
            if passages := [one for one in found if one not in self._cited.passages]:
                return passages
        line.keys_lead |= not line.has_words
        line.waiting += named
        return []

    def _mark(self, passages: Sequence[int], blank: str = "") -> str:
        """Cite the passages at the end of what the line has so far."""
        keys = blank + "".join(f"<source_id={self._number(one)}>" for one in passages)
        self._line.marks.append(Mark(self._line.length, keys, tuple(passages)))
        self._cited.passages += passages
        self._swallows_blanks = False
        return keys

    def _number(self, named: int) -> int:
        return self._numbers.setdefault(named, len(self._numbers) + 1)

    def _end_line(self) -> str:
        """Check what the line says; return the keys that were waiting for its end."""
        keys = self._put_waiting_keys()
        line, self._line = self._line, _Line()
        self._swallows_blanks = False
        if _FENCE.match(line.text):
            self._in_code = not self._in_code
        elif _TABLE_RULE.fullmatch(line.text):
            del self.verification[-1:]  # The line above names the columns.
        elif line.marks and not line.has_words:
            self._check_again()
        elif not self._in_code:
            checked = check_line(line.text, line.marks, self._evidence, self._numbers)
            self.verification += checked
        if line.has_words and not line.marks:
            self._cited = _Cited(line.last_statement(), is_open=True)
        elif line.has_words:
            self._cited.is_open = False
        return keys

    def _put_waiting_keys(self) -> str:
        line = self._line
        statement = line.last_statement()
        if not line.waiting or not statement:
            return ""
        self._cited = _Cited(statement, line.waiting)
        if passages := self._evidence.passages_for(statement, line.waiting):
            return self._mark(passages, " " if line.ends_in_a_word else "")
        line.marks.append(Mark(line.length, "", ()))
        return ""

    def _check_again(self) -> None:
        """Take the keys that stand alone on their line for those of the statement above."""
        if self.verification and self._cited.passages:
            cited = self._cited
            support = self._evidence.support(cited.statement, cited.passages)
            numbers = tuple(self._number(one) for one in cited.passages)
            last = self.verification[-1].sentence
            self.verification[-1] = CheckedSentence(last, support.verdict, support.reason, numbers)


@dataclass(slots=True)
class _Cited:
    """The last statement that a key stood for, or that one may yet stand for."""

    statement: str = ""
    named: list[int] = field(default_factory=list)
    passages: list[int] = field(default_factory=list)  # those whose keys went out
    is_open: bool = False  # it had no key on its own line


@dataclass(slots=True)
class _Line:
    """A line of the answer as far as it has gone out; its keys are apart."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    marks: list[Mark] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)  # named in front of their statement
    keys_lead: bool = False  # each key of the line is in front of its statement

    def add(self, text: str) -> str:
        if text:
            self.parts.append(text)
            self.length += len(text)
        return text

    @property
    def text(self) -> str:
        return "".join(self.parts)

    @property
    def has_words(self) -> bool:
        return _WORD.search(self.text) is not None

    @property
    def ends_in_a_word(self) -> bool:
        return bool(self.parts) and not self.parts[-1][-1].isspace()

    def last_statement(self) -> str:
        """Return the last sentence since the last key, or what there is of it; "" if no word."""
        since = self.marks[-1].at if self.marks else 0
        sentences = [
            sentence
            for sentence in split_sentences(_BULLET.sub("", self.text[since:], count=1).strip())
            if _WORD.search(sentence)
        ]
        return sentences[-1] if sentences else ""
