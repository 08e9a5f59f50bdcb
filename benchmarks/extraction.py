"""How well the built-in extractor, which needs no model, reads receipts, agreements and invoices.

`--fit` fits its weights and its confidence to the documents and writes
`extraction/built_in/weights.json`, in place of the report. `--cache FOLDER` keeps the pages that
were read, and the embedding model, for the next time.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np

from benchmarks.calibrating import auroc, calibration_error, folds, with_shares
from benchmarks.extraction_fit import (
    Asked,
    asked_of,
    examples_of,
    fit_weights,
    is_right,
    parties_right,
    party_field,
)
from benchmarks.extraction_sets import (
    DATA,
    SETS,
    LabelledDocument,
    Truth,
    read_documents,
    requested,
)
from benchmarks.report import publish, table
from config.settings import prepare_library_environment
from extraction.built_in.extract import LEAST_SCORE, extract_built_in
from extraction.built_in.ranking import Candidate, Embed, Reading
from extraction.built_in.scoring import Weights, stored_weights
from extraction.confidence import Calibration
from extraction.habits import read_habit
from extraction.types import RequestedField, Value
from indexing.embedding import MiniLMEmbedder, Vectors

WEIGHTS = Path(__file__).parents[1] / "extraction" / "built_in" / "weights.json"
COMMAND = "python -m benchmarks.extraction --fit"

PHRASINGS = 3

TARGETS = {
    ("sroie", "date"): 0.75,
    ("sroie", "total"): 0.75,
    ("kleister_nda", "effective_date"): 0.70,
    ("invoices", "all"): 0.80,
}

HOW = """F1 over the values of a field: a value that is given and wrong costs precision, one that is
missing costs recall, a null where there is none costs nothing. Dates and amounts have to be equal
to the typed ones. Texts are compared in one case and without punctuation and spaces: "equal", and
"alike", where 15 of 100 characters may differ, but no digit. `parties` asks for all parties
in one text, as somebody would who has one field for them; it is parted at semicolons, and each name
counts. Every document is read by the service's own readers, receipts by text recognition.
"Held out": the weights are fitted on other documents (five parts; receipts of a company may be in
several parts). "As shipped": they are fitted on these very documents. "Other words": as shipped,
each field called by two other names, with other descriptions or none; no weight is fitted on those,
but "amount paid" came into the table of labels after they were looked at (total: 0.71 before).
The weights are fitted on more fields than these: the same in other words, some that we read off the
documents ourselves, and some that a set does not have (`extraction_fit_fields.yaml`). Finders and
the table of labels were written with these documents in view."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was found for a field of a document."""

    document: LabelledDocument
    asked: Asked
    best: Candidate | None  # the likeliest value, given or not

    @property
    def value(self) -> Value | None:
        """What is given."""
        return self.best.value if self.is_given and self.best else None

    @property
    def is_given(self) -> bool:
        """Whether the likeliest value is likely enough."""
        return self.best is not None and self.best.score >= LEAST_SCORE

    @property
    def is_right(self) -> bool:
        """Whether the likeliest value is right."""
        return self.best is not None and is_right(self.asked.truth, self.best.value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--cache", type=Path, help="keep what was read in this folder")
    parser.add_argument("--fit", action="store_true", help="write the weights; no report")
    arguments = parser.parse_args()
    if missing := [name for name in SETS if not (arguments.data / name).is_dir()]:
        raise SystemExit(f"There is no {', '.join(missing)} in {arguments.data}; see --data")
    prepare_library_environment()
    documents = read_documents(arguments.data, arguments.cache)
    with tempfile.TemporaryDirectory(prefix="ke-extraction-", dir="/tmp") as directory:
        embedder = MiniLMEmbedder((arguments.cache or Path(directory)) / "models", threads=1)
        if arguments.fit:
            write_weights(documents, remembering(embedder.embed))
        else:
            publish("extraction", "Built-in extraction", *report(documents, embedder.embed))


def report(documents: Sequence[LabelledDocument], embed: Embed) -> list[str]:
    """Return the sections of the report."""
    remembered = remembering(embed)
    held_out = cross_validated(documents, remembered)
    names = {_field(truth.name, 0) for one in documents for truth in one.truths}
    fields = [one for one in held_out if one.asked.field in names and _is_annotated(one)]
    shipped = [run(documents, remembered, stored_weights(), n) for n in range(PHRASINGS)]
    return [
        HOW.replace("\n", " "),
        f"{len(documents)} documents (development data).",
        f1_table(fields, shipped[0], shipped[1] + shipped[2]),
        "The confidence of the values that are given, held out: weights and confidence are fitted "
        "on other documents. All fields are those that the weights are fitted on.",
        confidence_table({"the fields above": fields, "all fields": held_out}, held_out),
        "What it takes, one thread:",
        time_table(documents, embed),
    ]


def remembering(embed: Embed) -> Embed:
    """Return the same, embedding each text once: all parts of the report look at the same ones."""
    known: dict[str, Vectors] = {}

    def remembered(texts: Sequence[str]) -> Vectors:
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            known.update(zip(new, embed(new), strict=True))
        return np.array([known[text] for text in texts])

    return remembered


def reported(document: LabelledDocument, phrasing: int) -> list[Asked]:
    """Return the fields of the report."""
    return [Asked(_field(truth.name, phrasing), truth, weight=1.0) for truth in document.truths]


def run(
    documents: Sequence[LabelledDocument], embed: Embed, weights: Weights, phrasing: int
) -> list[Outcome]:
    """Ask each document for the fields of its set, called one thing or another."""
    return [
        outcome
        for document in documents
        for outcome in ask(document, reported(document, phrasing), embed, weights)
    ]


def ask(
    document: LabelledDocument, asked: Sequence[Asked], embed: Embed, weights: Weights
) -> Iterator[Outcome]:
    """Yield what is found for fields of a document."""
    reading = Reading([document.source], read_habit(document.source.pages), embed, weights)
    for one, ranked in zip(asked, reading.rank_all([a.field for a in asked]), strict=True):
        yield Outcome(document, one, ranked[0] if ranked else None)


def cross_validated(documents: Sequence[LabelledDocument], embed: Embed) -> list[Outcome]:
    """Return what is found in each document with weights that were fitted on others."""
    examples = {one.id: examples_of(one, embed, stored_weights()) for one in documents}
    outcomes = []
    for _, inside, outside in folds([one.id for one in documents]):
        weights = fit_weights([e for n in inside for e in examples[documents[n].id]])
        for n in outside:
            outcomes += ask(documents[n], asked_of(documents[n]), embed, weights)
    return outcomes


def write_weights(documents: Sequence[LabelledDocument], embed: Embed) -> None:
    """Fit on all documents, and store the weights with how that was done."""
    examples = [
        one for document in documents for one in examples_of(document, embed, stored_weights())
    ]
    weights = fit_weights(examples)
    given = [one for one in cross_validated(documents, embed) if one.is_given]
    calibration = calibrated_on(given)
    stored = {
        "fitted": {
            "on": str(date.today()),
            "by": COMMAND,
            "data": f"development documents of {', '.join(SETS)}: {len(documents)} documents, "
            f"{len(examples)} fields asked for",
            "shares": f"isotonic, of {len(given)} values with weights fitted on other documents",
        },
        "common": weights.common,
        "own": weights.own,
        "scores": [round(one, 4) for one in calibration.logits],
        "shares": [round(one, 4) for one in calibration.shares],
    }
    WEIGHTS.write_text(json.dumps(stored, indent=2) + "\n")
    print(json.dumps(stored, indent=2))


def calibrated_on(given: Sequence[Outcome]) -> Calibration:
    """Return which share of the values with a score is right."""
    scores = np.array([one.best.score for one in given if one.best])
    return with_shares(Calibration(0.0, {}, (), ()), scores, [one.is_right for one in given])


def f1_table(
    held_out: Sequence[Outcome], shipped: Sequence[Outcome], others: Sequence[Outcome]
) -> str:
    """Write F1 by field."""
    rows = []
    for set_name in SETS:
        names = dict.fromkeys(
            one.asked.truth.name for one in shipped if one.document.set_name == set_name
        )
        for name in (*names, "all"):
            some = [
                [o for o in outcomes if o.document.set_name == set_name]
                for outcomes in (held_out, shipped, others)
            ]
            some = [[o for o in s if name in ("all", o.asked.truth.name)] for s in some]
            figures = [f1(outcomes, is_same) for outcomes in some for is_same in (_equal, _alike)]
            values = sum(len(one.asked.truth.values) for one in some[1])
            target = TARGETS.get((set_name, name), "")
            rows.append((set_name, name, values, *(f"{one:.2f}" for one in figures), str(target)))
    header = ("set", "field", "values", "held out: equal", "alike", "as shipped: equal", "alike")
    return table((*header, "other words: equal", "alike", "target"), rows)


def f1(outcomes: Sequence[Outcome], is_same: Callable[[str, str], bool]) -> float:
    """Return F1 of the values; texts are right where they are the same in this sense."""
    right = said = there = 0
    for one in outcomes:
        truth = one.asked.truth
        if truth.name == "party":
            counts = parties_right(truth, one.value, is_same)
        else:
            counts = (_is_hit(one, is_same), one.is_given, bool(truth.values))
        right, said, there = right + counts[0], said + counts[1], there + counts[2]
    return 2 * right / (said + there) if said + there else 1.0


def _is_hit(outcome: Outcome, is_same: Callable[[str, str], bool]) -> bool:
    value, truth = outcome.value, outcome.asked.truth
    if isinstance(value, str) and truth.values and isinstance(truth.values[0], str):
        return any(is_same(value, str(one)) for one in truth.values)
    return value is not None and truth.accepts(value)


def _equal(value: str, truth: str) -> bool:
    return _plain(value) == _plain(truth)


def _alike(value: str, truth: str) -> bool:
    return Truth("", (truth,), (truth,)).accepts(value)


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.upper()))


def confidence_table(groups: dict[str, list[Outcome]], all_fields: Sequence[Outcome]) -> str:
    """Write what the confidence tells."""
    rows = []
    for title, outcomes in groups.items():
        given = [one for one in outcomes if one.is_given]
        sure = held_out_confidences(given, [one for one in all_fields if one.is_given])
        right = [one.is_right for one in given]
        rows.append(
            (
                title,
                len(given),
                right.count(False),
                f"{auroc(sure, right):.3f}",
                f"{calibration_error(sure, right):.3f}",
            )
        )
    return table(("values of", "given", "wrong", "AUROC", "ECE"), rows)


def held_out_confidences(given: Sequence[Outcome], others: Sequence[Outcome]) -> list[float]:
    """Return the confidence of values, from the scores of values in other documents."""
    sure = [0.0] * len(given)
    for _, inside, outside in folds([one.document.id for one in given]):
        known = {given[n].document.id for n in inside}
        fitted = calibrated_on([one for one in others if one.document.id in known])
        for n in outside:
            best = given[n].best
            sure[n] = float(np.interp(best.score, fitted.logits, fitted.shares)) if best else 0.0
    return sure


def time_table(documents: Sequence[LabelledDocument], embed: Embed) -> str:
    """Write the processor time that extractions take, without reading the documents."""
    pages = [page for one in documents for page in one.source.pages]
    rows = []
    for count in (1, len(pages)):
        source = documents[0].source
        source = type(source)(source.data_source_id, source.file_name, pages[:count])
        for number in (4, 20):
            fields = [
                RequestedField(f"{field.name} {n}", field.description, field.type)
                for n in range(number)
                if (field := requested(("date", "total", "party", "issuer")[n % 4], n // 4))
            ]
            list(extract_built_in(fields, [source], embed))  # loads what the others use
            started = time.process_time()
            list(extract_built_in(fields, [source], embed))
            rows.append((count, number, f"{time.process_time() - started:.2f}"))
    return table(("pages", "fields", "CPU seconds"), rows)


def _is_annotated(outcome: Outcome) -> bool:
    """Tell whether the field is one of the set's, rather than one that we read ourselves."""
    return outcome.asked.truth in outcome.document.truths


def _field(name: str, phrasing: int) -> RequestedField:
    return party_field() if name == "party" and phrasing == 0 else requested(name, phrasing)


if __name__ == "__main__":
    main()
