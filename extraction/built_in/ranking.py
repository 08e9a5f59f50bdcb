"""Rank the values that documents hold for a field."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from extraction.built_in.addresses import looks_like_address
from extraction.built_in.amounts import amount_signs
from extraction.built_in.finders import NAMES_ORGANISATION, Finders
from extraction.built_in.layout import read_passages
from extraction.built_in.mentions import Mention
from extraction.built_in.scoring import Weights, logits, probabilities, stored_weights
from extraction.built_in.signs import Signs, read_signs
from extraction.built_in.wanted import Wanted, read_field
from extraction.types import Evidence, Habit, RequestedField, SourcePages, Value
from indexing.embedding import Vectors
from indexing.evidence import evidence_at

Embed = Callable[[Sequence[str]], Vectors]

KEPT = 30
"""Mentions that are compared with each other; what is further down has no chance."""

EMBEDDED = 6
"""Sentences of the best mentions of a field that are embedded."""

UNLIKE = 0.3
"""Cosine: a sentence that is no nearer than this has nothing to do with the field."""

LONGEST_CONTEXT = 300  # characters


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that the documents hold, and how likely it is the one that is asked for."""

    value: Value
    score: float  # 0 to 1; all of a field and that there is none are 1 together
    source: int  # its position among the sources
    page_number: int
    evidence: Evidence
    kind: str = ""  # what was looked for


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The mentions that may be the value of a field, and what speaks for each."""

    wanted: Wanted
    kind: str  # what was looked for
    mentions: Sequence[Mention]
    signs: Sequence[Signs]


def rank(
    field: RequestedField, sources: Sequence[SourcePages], habit: Habit, embed: Embed
) -> list[Candidate]:
    """Return the values of a field that the sources hold, best first."""
    return Reading(sources, habit, embed).rank(field)


class Reading:
    """Documents that were read once, to be asked for one field after the other."""

    def __init__(
        self,
        sources: Sequence[SourcePages],
        habit: Habit,
        embed: Embed,
        weights: Weights | None = None,
    ) -> None:
        self._sources = sources
        self._embed = embed
        self._weights = weights or stored_weights()
        self._passages = read_passages(sources)
        self._position = {passage: n for n, passage in enumerate(self._passages)}
        self._finders = Finders(self._passages, habit)
        self._vectors: dict[str, Vectors] = {}

    def rank(self, field: RequestedField) -> list[Candidate]:
        """Return the values of a field that the sources hold, best first."""
        return self.rank_all([field])[0]

    def rank_all(self, fields: Sequence[RequestedField]) -> list[list[Candidate]]:
        """Return the values of each field, best first; what is embedded is so in one call."""
        return [self._ranked(one) for one in self.shortlists(fields)]

    def shortlists(self, fields: Sequence[RequestedField]) -> list[Shortlist]:
        """Return for each field the mentions that are likeliest by their signs."""
        lists = [self._shortlist(read_field(field)) for field in fields]
        self._add_nearness(lists)
        return lists

    def _ranked(self, shortlist: Shortlist) -> list[Candidate]:
        """Add up how likely the mentions of each value are, and show the likeliest of them."""
        shares: dict[str, float] = defaultdict(float)
        best: dict[str, tuple[float, Mention]] = {}
        likely = probabilities(shortlist.kind, shortlist.signs, self._weights)
        for mention, share in zip(shortlist.mentions, likely, strict=True):
            key = repr(mention.value)
            shares[key] += float(share)
            if key not in best or share > best[key][0]:
                best[key] = (float(share), mention)
        return [
            self._candidate(best[key][1], shares[key], shortlist.kind)
            for key in sorted(shares, key=lambda key: -shares[key])
        ]

    def _shortlist(self, wanted: Wanted) -> Shortlist:
        # Where the field has no words, nothing tells one value from another.
        kind, mentions = self._finders.find(wanted) if wanted.terms else ("", [])
        signs = [read_signs(wanted, one, self._position[one.passage]) for one in mentions]
        self._add_comparisons(wanted, mentions, signs)
        order = np.argsort(-logits(kind, signs, self._weights), kind="stable")[:KEPT]
        return Shortlist(wanted, kind, [mentions[n] for n in order], [signs[n] for n in order])

    def _add_comparisons(
        self, wanted: Wanted, mentions: Sequence[Mention], signs: Sequence[Signs]
    ) -> None:
        """Add the signs that compare mentions with each other and with what stands elsewhere."""
        alone = 1 / max(1, len({repr(mention.value) for mention in mentions}))
        for sign in signs:
            sign["alone"] = alone
        if wanted.asks_for_amount:
            for sign, more in zip(signs, amount_signs(wanted, mentions), strict=True):
                sign.update(more)
        if wanted.means(*NAMES_ORGANISATION):
            for sign, mention in zip(signs, mentions, strict=True):
                sign["followed"] = self._followed(mention)

    def _add_nearness(self, lists: Sequence[Shortlist]) -> None:
        contexts = [[_context(mention) for mention in one.mentions] for one in lists]
        chosen = [list(dict.fromkeys(texts))[:EMBEDDED] for texts in contexts]
        self._read_vectors(
            text
            for one, texts in zip(lists, chosen, strict=True)
            if texts
            for text in (one.wanted.text, *texts)
        )
        for one, texts, near in zip(lists, contexts, chosen, strict=True):
            for sign, text in zip(one.signs, texts, strict=True):
                if text in near:
                    cosine = float(self._vectors[one.wanted.text] @ self._vectors[text])
                    sign["nearness"] = max(0.0, cosine - UNLIKE)

    def _read_vectors(self, texts: Iterable[str]) -> None:
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._embed(new), strict=True))

    def _followed(self, mention: Mention) -> float:
        n = self._position[mention.passage]
        below = self._passages[n + 1 : n + 4]
        return max((looks_like_address(one.text) for one in below), default=0.0)

    def _candidate(self, mention: Mention, score: float, kind: str) -> Candidate:
        source = self._sources[mention.passage.source]
        place = evidence_at(mention.passage.page, *mention.page_span)
        evidence = Evidence(
            source.data_source_id, source.file_name, place.page_number, place.passage, place.box
        )
        number = mention.passage.source
        return Candidate(mention.value, score, number, place.page_number, evidence, kind)


def _context(mention: Mention) -> str:
    """Return what a mention is compared by: its sentence, below its label where it has none."""
    around = mention.around
    beside = "" if around.before else around.beside
    return f"{beside} {around.sentence}".strip()[:LONGEST_CONTEXT]
