"""Answer a question with sentences of the passages themselves: the model that is always there.

Two linear models do it, both of few and readable features. They were fitted on SQuAD questions of
seven Wikipedia articles (the second on the five of them that have unanswerable questions as well)
with the best five passages of the collection; three further articles were held out.

`RANKING` orders the candidates: conditional logistic regression, so a weight times a difference
between two candidates is the logarithm of how much more likely the one is.

* cosine: of the question and the candidate below its heading
* coverage: share of the question's terms in the candidate, weighted by idf over the candidates
* coverage_around: what its heading and the sentence before add to that
* phrases: share of the question's pairs of neighbouring terms
* wrong_type: the question asks for a date, number, person or place and the candidate has none
* passage_cosine: of the question and the mean of the candidates of the same passage
* passage_rank: 1 for the best passage, 1/2 for the second, and so on

`CONFIDENCE` tells whether the best candidate answers or only resembles the question: logistic
regression on answerable questions, SQuAD 2.0's adversarial ones (85 % of the negative weight) and
questions about other articles (15 %).

* best_cosine, passage_cosine, wrong_type: as above, a type found in the sentence before counts too
* rarest_missing: idf of the rarest term missing near the candidate, 1 being the question's rarest
* names_missing: the same, summed over words with a capital
* numbers_missing: the question has a number that does not stand there
* opposites: terms of which the candidate has the opposite (first, last; paid, unpaid)
* negation_missing: the question denies something, the candidate does not. The fit says -4.0, for
  such questions are a habit of SQuAD's authors; -3.0 orders as well and refuses fewer of them

Measured on the held-out articles: an accepted answer is in 89 % of the extracts, 33 words long on
average; 5.1 % of the questions are refused wrongly (6.7 % over all ten articles, by which
`MIN_CONFIDENCE` was chosen), of the adversarial ones 37 %, of those about another article 97 %. The
confidence of answerable and adversarial questions has an AUROC of 0.79. (Pooled over all ten
articles it is 0.77: two have no adversarial questions, and hard answerable ones.)
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from agents.sentences import Unit, UnitKind, units
from indexing.terms import terms

Vectors = NDArray[np.float32]
Floats = NDArray[np.float64]

MAX_EMBEDDED = 24
MIN_CONFIDENCE = 0.25
MAX_SENTENCES = 4
MAX_ITEMS = 8

# Scores are logarithms of odds: a sentence this far below the best is this much less likely.
CLOSE_SCORE = 0.8
RELATED_SCORE = 1.5

# A question of few words resembles no sentence much: it is enough that one has them all.
SHORT_QUESTION = 3
SHORT_CONFIDENCE = 0.4

SAME_COSINE = 0.93

# A term that stands in the passages, but not near the sentence, is missing only so much.
ELSEWHERE = 0.5

RANKING = {
    "cosine": 6.3,
    "coverage": 6.9,
    "coverage_around": 4.1,
    "phrases": 1.6,
    "wrong_type": -2.1,
    "passage_cosine": 4.4,
    "passage_rank": 1.7,
}

CONFIDENCE_INTERCEPT = -4.6
CONFIDENCE = {
    "best_cosine": 5.8,
    "passage_cosine": 2.4,
    "rarest_missing": -0.3,
    "names_missing": -0.6,
    "numbers_missing": -1.5,
    "opposites": -2.2,
    "negation_missing": -3.0,
    "wrong_type": -0.7,
}


@dataclass(frozen=True, slots=True)
class ExtractedSentence:
    """A sentence, list item or table row of a passage; the cells of a row are named."""

    text: str
    passage: int  # index into the passages given


@dataclass(frozen=True, slots=True)
class Extract:
    """What the passages say about a question; no sentences when they do not answer it."""

    sentences: tuple[ExtractedSentence, ...]
    confidence: float  # 0 to 1


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A unit that might answer, with what stands around it."""

    unit: Unit
    passage: int
    position: int  # among the units of its passage
    before: str  # the sentence before it
    own_terms: frozenset[str]
    near_terms: frozenset[str]  # with its heading and the sentence before
    all_terms: frozenset[str]  # of all passages

    def absence(self, term: str) -> float:
        """Return 0 for a term near the unit, 1 for one that stands in no passage."""
        if term in self.near_terms:
            return 0.0
        return ELSEWHERE if term in self.all_terms else 1.0

    @property
    def in_context(self) -> str:
        """What is embedded: a row names its columns itself, all else is read below its lead."""
        lead = "" if self.unit.kind is UnitKind.ROW else self.unit.lead
        return f"{lead} {self.unit.text}" if lead else self.unit.text


@dataclass(frozen=True, slots=True)
class _Question:
    """A question as the features see it."""

    text: str
    weights: dict[str, float]  # idf of each of its terms over the candidates
    expected: re.Pattern[str] | None  # what an answer of the expected type looks like

    def coverage(self, found: frozenset[str]) -> float:
        """Return the share of the question's weight that these terms carry."""
        total = sum(self.weights.values())
        return sum(w for term, w in self.weights.items() if term in found) / total if total else 0.0

    def fits(self, text: str) -> bool:
        """Tell whether a text holds something of the expected type that the question has not."""
        if self.expected is None:
            return True
        asked = self.text.lower()
        return any(match.lower() not in asked for match in self.expected.findall(text))


def extract(
    question: str, passages: Sequence[str], embed: Callable[[Sequence[str]], Vectors]
) -> Extract:
    """Return the few sentences of the passages, best passage first, that answer a question."""
    asked, candidates = _prefilter(question, _candidates(passages))
    if not candidates:
        return Extract((), 0.0)
    vectors = embed([question, *(candidate.in_context for candidate in candidates)])
    features = _features(asked, candidates, vectors)
    scores = _scores(features)
    confidence = _confidence(asked, candidates, features, int(scores.argmax()))
    if confidence < MIN_CONFIDENCE:
        return Extract((), confidence)
    chosen = _choose(asked, candidates, scores, vectors[1:])
    return Extract(tuple(_in_reading_order(chosen)), confidence)


def _candidates(passages: Sequence[str]) -> list[_Candidate]:
    everything = frozenset(term for passage in passages for term in terms(passage))
    found: list[_Candidate] = []
    seen: set[str] = set()
    for number, passage in enumerate(passages):
        before = ""
        for position, unit in enumerate(units(passage)):
            # Passages overlap, and what is said twice need not be weighed twice.
            if unit.kind is not UnitKind.LEAD and unit.text not in seen:
                own = frozenset(terms(unit.text))
                near = own.union(terms(unit.lead), terms(before))
                found.append(_Candidate(unit, number, position, before, own, near, everything))
                seen.add(unit.text)
            before = unit.text if unit.kind is UnitKind.SENTENCE else ""
    return found


def _prefilter(question: str, candidates: list[_Candidate]) -> tuple[_Question, list[_Candidate]]:
    """Keep what shares most with the question, the passage's rank deciding between equals."""
    asked = _Question(question, _weights(question, candidates), _expected(question))
    if len(candidates) > MAX_EMBEDDED:

        def promise(candidate: _Candidate) -> float:
            own, near = asked.coverage(candidate.own_terms), asked.coverage(candidate.near_terms)
            return own + 0.5 * near + 0.3 / (1 + candidate.passage)

        best = sorted(candidates, key=promise, reverse=True)[:MAX_EMBEDDED]
        candidates = sorted(best, key=lambda one: (one.passage, one.position))
    return asked, candidates


def _weights(question: str, candidates: Sequence[_Candidate]) -> dict[str, float]:
    count = len(candidates)
    having = Counter(term for candidate in candidates for term in candidate.own_terms)
    asked = sorted(set(terms(_MEASURE_ASKED.sub(" ", question))))
    return {
        term: math.log(1 + (count - having[term] + 0.5) / (having[term] + 0.5)) for term in asked
    }


def _features(
    asked: _Question, candidates: Sequence[_Candidate], vectors: Vectors
) -> dict[str, Floats]:
    """Return what speaks for each candidate, as documented at the top."""
    cosines = (vectors[1:] @ vectors[0]).astype(np.float64)
    own = np.array([asked.coverage(candidate.own_terms) for candidate in candidates])
    near = np.array([asked.coverage(candidate.near_terms) for candidate in candidates])
    phrases = _phrases(asked.text)
    shared = [len(phrases & _phrases(one.unit.text)) for one in candidates]
    return {
        "cosine": cosines,
        "coverage": own,
        "coverage_around": near - own,
        "phrases": np.array(shared) / max(1, len(phrases)),
        "wrong_type": np.array([float(not asked.fits(one.unit.text)) for one in candidates]),
        "passage_cosine": _passage_cosines(candidates, vectors),
        "passage_rank": np.array([1 / (1 + candidate.passage) for candidate in candidates]),
    }


def _phrases(text: str) -> frozenset[tuple[str, str]]:
    """Return the pairs of terms that follow each other."""
    in_order = [term for word in _WORD.findall(text) for term in terms(word)]
    return frozenset(pairwise(in_order))


def _passage_cosines(candidates: Sequence[_Candidate], vectors: Vectors) -> Floats:
    """Return how near the middle of its passage's sentences is to the question, for each."""
    passages = np.array([candidate.passage for candidate in candidates])
    cosines = np.empty(len(passages))
    for passage in np.unique(passages):
        middle = vectors[1:][passages == passage].sum(axis=0)
        length = float(np.linalg.norm(middle)) or 1.0
        cosines[passages == passage] = float(middle @ vectors[0]) / length
    return cosines


def _scores(features: dict[str, Floats]) -> Floats:
    return np.asarray(sum(weight * features[name] for name, weight in RANKING.items()))


def _confidence(
    asked: _Question, candidates: Sequence[_Candidate], features: dict[str, Floats], best: int
) -> float:
    signs = _signs(asked, candidates[best], features, best)
    logit = sum(weight * signs[name] for name, weight in CONFIDENCE.items())
    confidence = 1 / (1 + math.exp(-logit - CONFIDENCE_INTERCEPT))
    has_doubts = any(signs[name] for name in _DOUBTS)
    is_short = 0 < len(asked.weights) <= SHORT_QUESTION
    return max(confidence, SHORT_CONFIDENCE) if is_short and not has_doubts else confidence


def _signs(
    asked: _Question, best: _Candidate, features: dict[str, Floats], number: int
) -> dict[str, float]:
    """Return what tells an answer from a sentence that only resembles the question."""
    around = f"{best.unit.lead} {best.before} {best.unit.text}"
    lacking = [weight * best.absence(term) for term, weight in asked.weights.items()]
    heaviest = max(asked.weights.values(), default=0.0) or 1.0
    return {
        "best_cosine": float(features["cosine"].max()),
        "passage_cosine": float(features["passage_cosine"][number]),
        "rarest_missing": max(lacking, default=0.0) / heaviest,
        "names_missing": _names_missing(asked, best),
        "numbers_missing": _numbers_missing(asked.text, around, best),
        "opposites": float(_opposites(frozenset(asked.weights), best.own_terms)),
        "negation_missing": float(_negated(asked.text) and not _negated(best.unit.text)),
        "wrong_type": float(not asked.fits(around)),
    }


def _names_missing(asked: _Question, best: _Candidate) -> float:
    """Return the weight of the question's names that do not stand near the sentence."""
    names = {term for word in _NAME.findall(asked.text) for term in terms(word)}
    heaviest = max(asked.weights.values(), default=0.0) or 1.0
    missing = (asked.weights.get(name, 0.0) * best.absence(name) for name in sorted(names))
    return sum(missing) / heaviest


def _numbers_missing(question: str, around: str, best: _Candidate) -> float:
    """Return 1 for a number of the question that the sentence does not have, less if it is near."""
    missing = (number for number in _NUMBER.findall(question) if number not in around)
    return max((best.absence(number) for number in missing), default=0.0)


def _negated(text: str) -> bool:
    return _NEGATION.search(text) is not None


def _opposites(asked: frozenset[str], said: frozenset[str]) -> int:
    """Count the question's terms of which the sentence has the opposite instead."""
    return sum(1 for term in asked - said if _has_opposite(term, said))


def _has_opposite(term: str, said: frozenset[str]) -> bool:
    if _OPPOSITES.get(term, frozenset()) & said:
        return True
    negated = any(prefix + term in said for prefix in _NEGATING_PREFIXES)
    bare = (term.removeprefix(prefix) for prefix in _NEGATING_PREFIXES if term.startswith(prefix))
    return negated or any(len(stem) > 3 and stem in said for stem in bare)


def _choose(
    asked: _Question, candidates: Sequence[_Candidate], scores: Floats, vectors: Vectors
) -> list[_Candidate]:
    """Take the best and, as far as the question is broad, what is nearly as good and new."""
    order = np.argsort(-scores, kind="stable")
    best = candidates[order[0]]
    is_broad = _BROAD.search(asked.text) is not None
    if whole := _whole_list(asked, best, candidates, is_broad=is_broad):
        return whole
    limit, distance = (MAX_SENTENCES, RELATED_SCORE) if is_broad else (2, CLOSE_SCORE)
    chosen = [order[0]]
    for number in order[1:]:
        if len(chosen) == limit or scores[number] < scores[order[0]] - distance:
            break
        if (vectors[chosen] @ vectors[number]).max() < SAME_COSINE:
            chosen.append(number)
    return [candidates[number] for number in chosen]


def _whole_list(
    asked: _Question, best: _Candidate, candidates: Sequence[_Candidate], *, is_broad: bool
) -> list[_Candidate]:
    """Return all items when the question asks for what their announcing line announces."""
    if best.unit.kind is not UnitKind.ITEM or not best.unit.lead:
        return []
    announced = asked.coverage(frozenset(terms(best.unit.lead)))
    if not is_broad and announced <= asked.coverage(best.own_terms):
        return []
    same = [
        one
        for one in candidates
        if (one.passage, one.unit.kind, one.unit.lead)
        == (best.passage, UnitKind.ITEM, best.unit.lead)
    ]
    return same[:MAX_ITEMS]


def _in_reading_order(chosen: Sequence[_Candidate]) -> Iterable[ExtractedSentence]:
    """Order by passage, the best sentence's first, and by place within it; a list gets its lead."""
    passages = list(dict.fromkeys(one.passage for one in chosen))
    announced = ""
    for one in sorted(chosen, key=lambda one: (passages.index(one.passage), one.position)):
        lead = one.unit.lead if one.unit.kind is UnitKind.ITEM else ""
        if lead and lead != announced and len(chosen) > 1:
            yield ExtractedSentence(lead, one.passage)
            announced = lead
        yield ExtractedSentence(one.unit.text, one.passage)


def _expected(question: str) -> re.Pattern[str] | None:
    return next((answer for asks, answer in _EXPECTED if asks.search(question)), None)


_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_DOUBTS = ("rarest_missing", "numbers_missing", "opposites", "negation_missing", "wrong_type")
_MEASURE_ASKED = re.compile(
    r"\bhow (?:many|much|long|old|far|high|large|big|tall|often|wide|deep)\b", re.I
)
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
# A word with a capital that does not merely begin a sentence.
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w-]*")
_NEGATION = re.compile(
    r"(?<!or )\bnot\b(?! only)|\bno\b(?! longer)|n['’]t\b"
    r"|\b(?:never|cannot|without|except|neither|nor|none|other than)\b"
    r"|\b(?:exclud|prohibit|forbid)\w*",
    re.I,
)
_BROAD = re.compile(
    r"^\W*(?:list|summar|describe|explain|outline|compare|tell me|give|name (?:all|the|some))"
    r"|\bwhat (?:are|were|happen|kinds?|types?|steps)|\bhow (?:do|does|did|is|are|can|should)\b"
    r"|\bwhy\b|\bwhich \w+s\b|\ball (?:the|of)\b|\boverview\b",
    re.I,
)

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_COUNTS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|"
    "hundred|thousand|million|billion|half|third|quarter|dozen|first|second|twice"
)
# A year within a number like 2018-23-51 is none.
_SOME_DATE = re.compile(
    rf"(?<!\d[–-])\b(?:1\d{{3}}|20\d\d)s?\b(?![–-]\d+[–-])|\b(?:{_MONTHS})\b|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}"
    r"|\b\d{4}-\d\d-\d\d\b|\bcentur(?:y|ies)\b"
)
_SOME_NUMBER = re.compile(rf"\d[\d.,]*|\b(?:{_COUNTS})\b", re.I)
_SOMEBODY = re.compile(
    rf"{_NAME.pattern}|\b(?:an?|by|its|the|their) [a-z]+(?:ant|ee|ent|er|ian|ist|lord|man|or)s?\b"
)
_EXPECTED = (
    (
        re.compile(
            r"\bwhen\b|\bhow long ago\b"
            r"|\b(?:what|which) (?:\w+ )?(?:year|date|day|month|century|decade|time)\b",
            re.I,
        ),
        _SOME_DATE,
    ),
    (
        re.compile(
            rf"{_MEASURE_ASKED.pattern}|\b(?:what|which) (?:\w+ )?"
            r"(?:percent|percentage|number|amount|price|cost|age|rent|total|fee|sum|rate)\b",
            re.I,
        ),
        _SOME_NUMBER,
    ),
    (
        re.compile(
            r"\bwhere\b|\b(?:what|which) (?:\w+ )?(?:person|man|woman|company|"
            r"team|name|city|country|town|state|region|street|island|continent|nation)\b",
            re.I,
        ),
        _NAME,
    ),
    (re.compile(r"\bwho(?:m|se)?\b", re.I), _SOMEBODY),
)
"""What a question asks for, and what an answer to it looks like."""

_NEGATING_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "anti", "de")
_OPPOSITE_WORDS = """
above below, accept reject, active passive, agree disagree, all none, allow forbid, allow prohibit,
always never, ancient modern, approve reject, arrive depart, ban allow, before after, begin end,
begin stop, best worst, big small, biggest smallest, borrower lender, broad narrow, brother sister,
buy sell, buyer seller, create destroy, credit debit, deep shallow, dependent independent,
domestic foreign, earliest latest, early late, east west, eastern western, eastward westward,
easy difficult, easy hard, employer employee, enter leave, fall rise, fast slow, father mother,
fell rose, few many, first last, first second, future past, gain loss, high low, higher lower,
hot cold, import export, include exclude, increase decrease, increase reduce, inner outer,
input output, inside outside, internal external, join leave, king queen, large small,
largest smallest, left right, legal illegal, lessee lessor, long short, longest shortest,
major minor, majority minority, male female, man woman, men women, minimum maximum, more fewer,
more less, most least, near far, new old, newest oldest, north south, northern southern,
northward southward, often rarely, open close, over under, permanent temporary, positive negative,
possible impossible, primary secondary, public private, raise lower, rich poor, same different,
same opposite, simple complex, sold bought, son daughter, start end, start stop, strong weak,
succeed fail, success failure, summer winter, support oppose, tenant landlord, true false, up down,
upper lower, urban rural, warm cold, wet dry, wide narrow, win lose, won lost, youngest oldest
"""


def _opposite_terms() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for pair in _OPPOSITE_WORDS.split(","):
        one, other = pair.split()
        for here, there in ((one, other), (other, one)):
            for term in terms(here):
                found[term] = found.get(term, frozenset()).union(terms(there))
    return found


_OPPOSITES = _opposite_terms()
