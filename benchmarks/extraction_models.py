"""What an extraction makes of what a model says, true or not, and how much its confidence is worth.

The model is a scripted server; what it says goes the whole way: LiteLLM, Instructor, normalising,
grounding, merging, confidence. `--fit` writes `extraction/calibration.json` again. `--cache FOLDER`
keeps the pages that were read, for the next time.
"""

import argparse
import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.calibrating import accuracy_at, auroc, calibration_error, fit, folds
from benchmarks.extraction_fit import examples_of, fit_weights
from benchmarks.extraction_lies import Author, Kind, Scripted
from benchmarks.extraction_sets import DATA, SETS, LabelledDocument, read_documents, requested
from benchmarks.report import publish, table
from benchmarks.scripted_extractor import ScriptedExtractor, scripted_extractor
from config.model_table import Deployment, Model, ModelTable
from config.settings import prepare_library_environment
from extraction.built_in.ranking import Candidate, Reading
from extraction.built_in.scoring import Weights, stored_weights
from extraction.confidence import Calibration, Signals, confidence, signs
from extraction.extracting import Abilities, extract
from extraction.fields import FIELD_KINDS
from extraction.grounding import Grounder
from extraction.second_opinion import opinion_of
from extraction.types import FieldType, RequestedField, SourcePages, Value
from indexing.embedding import Vectors
from indexing.types import Chunk

LIES = 0.35
"""The share of the fields that the model lies about."""

FEWER_LIES = 0.2
"""The share of lies in a second account, for which some of the lies are left out."""

ROUNDS = 2
"""How often each document is extracted, lied about anew each time."""

REHEARSALS = 10
"""How often each document is lied about to fit on, without a model."""

FITTED_WITH = 1
MEASURED_WITH = 2
"""Seeds of the lies: those fitted on are others than those that are measured."""

MODEL = "gamma-1.5-pro"

COVERAGE = 0.8
PAGES = FIELDS = 20
TIMES = 12
CONTEXT_WINDOW = 128_000
THINKS_SECONDS = 1.5

HOW = f"""The model is a server on the loopback interface that says what a script tells it; all that
comes behind it is the service's own way: LiteLLM, Instructor, normalising, grounding, merging,
confidence. It says each truth by its value or as the annotation writes it. Its lies are another
value of the type that stands in the same document (of a text: another line or name), the value of
another document, or an invented one, in the proportion 3 : 2 : 2; where there is none of a kind,
another kind. Each field is called one of three things. "Held": the text that was read has the value
in some way of writing it, looked for without the code that is measured. "All": everything that the
model said, where a value that was dropped counts as wrong with confidence 0; the other columns are
about the values that came out. "Held out": confidence and built-in extractor, whose opinion it
weighs, are fitted on other lies about other documents (five parts). {ROUNDS} rounds over all
documents."""

CALIBRATION = Path(__file__).parents[1] / "extraction" / "calibration.json"
COMMAND = "python -m benchmarks.extraction_models --fit"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of what the model said of a field."""

    document: LabelledDocument
    scripted: Scripted
    value: Value | None
    confidence: float
    signals: Signals | None  # of the value that came out, None without one

    @property
    def is_right(self) -> bool:
        return self.scripted.truth.accepts(self.value)

    @property
    def is_given(self) -> bool:
        """Tell whether there is a value."""
        return self.value is not None

    @property
    def is_invalid(self) -> bool:
        """Tell whether the value is not one of its field's type."""
        field, habit = self.scripted.field, self.document.habit
        normalise = FIELD_KINDS[field.type].normalise
        return self.is_given and normalise(self.value, field, habit) != self.value


class Reader:
    """Reads what the confidence of a document's values is made of.

    The built-in extractor, whose opinion is a part of it, has learned from these documents too: so
    here it is one that was fitted on others.
    """

    def __init__(self, document: LabelledDocument, weights: Weights) -> None:
        self.document = document
        self._grounder = Grounder([document.source], [document.habit])
        self._reading = Reading([document.source], document.habit, _no_vectors, weights)
        self._ranked: dict[RequestedField, list[Candidate]] = {}

    def signals(self, value: Value, field: RequestedField) -> Signals | None:
        """Return the signals of a value; None where it would not be given out."""
        grounding = self._grounder.ground(value, field)
        if grounding.value is None:
            return None
        if field not in self._ranked:
            self._ranked[field] = self._reading.rank(field)
        return Signals(field.type, grounding, opinion_of(value, self._ranked[field]))

    def rehearse(self, scripted: Scripted) -> Outcome:
        """Return what would become of a field, without a model being asked."""
        field, said = scripted.field, scripted.saying.value
        value = FIELD_KINDS[field.type].normalise(said, field, self.document.habit)
        signals = None if value is None else self.signals(value, field)
        return Outcome(self.document, scripted, value if signals else None, 0.0, signals)


def readers(documents: Sequence[LabelledDocument]) -> dict[str, Reader]:
    """Return the readers by document, each with an opinion learned from others."""
    by_id = {}
    examples = {
        document.id: examples_of(document, _no_vectors, stored_weights()) for document in documents
    }
    for _, inside, outside in folds([document.id for document in documents]):
        known = [one for n in inside for one in examples[documents[n].id]]
        weights = fit_weights(known)
        by_id.update({documents[n].id: Reader(documents[n], weights) for n in outside})
    return by_id


async def run(
    author: Author,
    lies: float,
    by_document: Mapping[str, Reader],
    server: ScriptedExtractor,
    can: Abilities,
) -> list[Outcome]:
    """Extract the fields of each document once, and return what became of them."""
    outcomes = []
    for document in author.documents:
        script = author.script(document, lies)
        server.sayings = {one.field.name: one.saying for one in script}
        extracting = extract([one.field for one in script], [document.source], can)
        found = {one.field.name: one async for some in extracting for one in some}
        for one in script:
            value, sure = found[one.field.name].value, found[one.field.name].confidence
            reader = by_document[document.id]
            signals = None if value is None else reader.signals(value, one.field)
            outcomes.append(Outcome(document, one, value, sure, signals))
    return outcomes


def rehearsed(author: Author, lies: float, by_document: Mapping[str, Reader]) -> list[Outcome]:
    """Return what would become of many scripts for each document, to fit on."""
    return [
        by_document[document.id].rehearse(scripted)
        for _ in range(REHEARSALS)
        for document in author.documents
        for scripted in author.script(document, lies)
    ]


async def overheads(
    documents: Sequence[LabelledDocument],
    server: ScriptedExtractor,
    can: Abilities,
    *,
    with_new_fields: bool = False,
) -> list[tuple[float, float]]:
    """Return the milliseconds that extractions of 20 fields from 20 pages take beside the model.

    Those of the clock, and those of the processor, which other work on the machine matters less to.
    Each asks for the same fields, as of one document after the other, or for new ones.
    """
    agreements = [one for one in documents if one.set_name == "kleister_nda"]
    pages = [page for one in agreements for page in one.source.pages][:PAGES]
    source = SourcePages(
        "ds_long", "long.pdf", [replace(p, number=n) for n, p in enumerate(pages, 1)]
    )
    long = LabelledDocument("long", "kleister_nda", source, agreements[0].truths)
    author = Author(documents, MEASURED_WITH)
    # What can be done while a model reads is done then, so it needs the time that models take.
    server.thinks_seconds = THINKS_SECONDS
    milliseconds = []
    for turn in range(TIMES):
        fields = [field_of_many(number, turn * with_new_fields) for number in range(FIELDS)]
        server.sayings = dict(author.sayings_for(long, fields))
        began = time.perf_counter() - server.seconds, time.process_time() - server.processor_seconds
        found = [one async for some in extract(fields, [source], can) for one in some]
        ended = time.perf_counter() - server.seconds, time.process_time() - server.processor_seconds
        assert len(found) == FIELDS
        milliseconds.append((1000 * (ended[0] - began[0]), 1000 * (ended[1] - began[1])))
    server.thinks_seconds = 0.0
    return milliseconds[1:]  # the first one loads what the others use


def field_of_many(number: int, turn: int) -> RequestedField:
    """Return one of many fields of several types, in each turn another."""
    names = ("effective_date", "jurisdiction", "party", "term", "amount")
    field = requested(names[number % len(names)], number // len(names))
    return replace(field, name=f"{field.name} {number}{' again' * turn}")


def write_calibration(outcomes: Sequence[Outcome]) -> None:
    """Fit the confidence on all documents, and store it with how that was done."""
    given = [one for one in outcomes if one.is_given]
    calibration = fitted_on(given)
    documents = len({one.document.id for one in outcomes})
    stored = {
        "fitted": {
            "on": str(date.today()),
            "by": COMMAND,
            "data": f"{documents} development documents ({', '.join(SETS)}), "
            f"{REHEARSALS} times each, {LIES:.0%} lies",
            "values": len(given),
            "right": sum(one.is_right for one in given),
        },
        "intercept": round(calibration.intercept, 4),
        "weights": {name: round(weight, 4) for name, weight in calibration.weights.items()},
        "logits": [round(one, 4) for one in calibration.logits],
        "shares": [round(one, 4) for one in calibration.shares],
    }
    text = json.dumps(stored, indent=2)
    CALIBRATION.write_text(f"{text}\n")
    print(text)


def thinned(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Leave out lies so that they are the smaller share of what is left."""
    kept = FEWER_LIES * (1 - LIES) / (LIES * (1 - FEWER_LIES))
    chance = random.Random(MEASURED_WITH)
    return [one for one in outcomes if one.scripted.kind is Kind.TRUTH or chance.random() < kept]


def fitted_on(outcomes: Sequence[Outcome]) -> Calibration:
    """Return the confidence fitted on the values that came out."""
    given = [(signs(one.signals), one) for one in outcomes if one.signals]
    return fit(
        [row for row, _ in given],
        [one.is_right for _, one in given],
        [one.document.id for _, one in given],
    )


def cross_validated(outcomes: Sequence[Outcome], others: Sequence[Outcome]) -> list[float]:
    """Return confidences fitted on other lies about other documents; 0 without a value."""
    confidences = [0.0] * len(outcomes)
    for _, inside, outside in folds([one.document.id for one in outcomes]):
        known = {outcomes[n].document.id for n in inside}
        calibration = fitted_on([one for one in others if one.document.id in known])
        for n in outside:
            if (found := outcomes[n].signals) is not None:
                confidences[n] = confidence(found, calibration)
    return confidences


def truth_table(outcomes: Sequence[Outcome]) -> str:
    """Write how much of the truth comes through, where the text has it."""
    rows = []
    for name in dict.fromkeys((one.document.set_name, one.scripted.truth.name) for one in outcomes):
        some = [one for one in outcomes if (one.document.set_name, one.scripted.truth.name) == name]
        rows.append((*name, *_f1(some)))
    rows.append(("all", "", *_f1(outcomes)))
    return table(("set", "field", "held", "F1", "F1 with those not held", "invalid"), rows)


def _f1(outcomes: Sequence[Outcome]) -> tuple[str, str, str, str]:
    held = [one for one in outcomes if one.document.holds(one.scripted.truth)]
    values = sum(bool(one.scripted.truth.values) for one in outcomes)
    there = sum(bool(one.scripted.truth.values) for one in held)
    invalid = sum(one.is_invalid for one in outcomes)
    return f"{there} of {values}", f"{_f1_of(held):.3f}", f"{_f1_of(outcomes):.3f}", str(invalid)


def _f1_of(outcomes: Sequence[Outcome]) -> float:
    right = sum(one.is_given and one.is_right for one in outcomes)
    given = sum(one.is_given for one in outcomes)
    there = sum(bool(one.scripted.truth.values) for one in outcomes)
    return 2 * right / (given + there) if given + there else 1.0


def lies_table(by_share: Mapping[float, Sequence[Outcome]], others: Sequence[Outcome]) -> str:
    """Write what the confidence is worth, by each share of lies."""
    rows = []
    for share, outcomes in by_share.items():
        held_out = cross_validated(outcomes, others)
        shipped = [one.confidence for one in outcomes]
        for title, confidences in (("held out", held_out), ("as shipped", shipped)):
            rows.append((f"{share:.0%}", title, *_worth(outcomes, confidences)))
    header = (
        *("lies", "confidence", "answers", "AUROC, all", "ECE, all", "values", "wrong values"),
        *("AUROC", "ECE", f"accuracy at {COVERAGE:.0%}", "the most there can be", "invalid"),
    )
    return table(header, rows)


def _worth(outcomes: Sequence[Outcome], confidences: Sequence[float]) -> tuple[str, ...]:
    right = [one.is_right for one in outcomes]
    said = [n for n, one in enumerate(outcomes) if one.scripted.saying.value is not None]
    given = [n for n, one in enumerate(outcomes) if one.is_given]

    def of(positions: Sequence[int]) -> tuple[list[float], list[bool]]:
        return [confidences[n] for n in positions], [right[n] for n in positions]

    good = sum(right[n] for n in given)
    return (
        str(len(said)),
        f"{auroc(*of(said)):.3f}",
        f"{calibration_error(*of(said)):.3f}",
        str(len(given)),
        str(len(given) - good),
        f"{auroc(*of(given)):.3f}",
        f"{calibration_error(*of(given)):.3f}",
        f"{accuracy_at(COVERAGE, *of(given)):.3f}",
        f"{min(good / (COVERAGE * len(given)), 1):.3f}",
        str(sum(one.is_invalid for one in outcomes)),
    )


def kinds_table(outcomes: Sequence[Outcome]) -> str:
    """Write what became of the truth and of each kind of lie, by type."""
    rows = []
    for kind in Kind:
        for name in ("all", *FieldType):
            some = [
                one
                for one in outcomes
                if one.scripted.kind is kind
                and one.scripted.saying.value is not None
                and name in ("all", one.scripted.field.type)
            ]
            if some:
                given = [one.confidence for one in some if one.is_given]
                quartiles = np.percentile(given, (25, 50, 75)) if given else (0.0,) * 3
                kept = f"{len(given) / len(some):.2f}"
                rows.append((kind, name, len(some), kept, *(f"{one:.2f}" for one in quartiles)))
    return table(("kind", "type", "said", "came out", "lower quartile", "median", "upper"), rows)


def overhead_table(by_title: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Write what an extraction takes beside the model, by how often its fields were asked for."""
    rows = [
        (title, kind, *(f"{of(values):.0f}" for of in (min, median, max)))
        for title, times in by_title.items()
        for kind, values in zip(("clock", "processor"), zip(*times, strict=True), strict=True)
    ]
    header = ("the fields are asked for", "milliseconds of the", "least", "median", "most")
    return table(header, rows)


@asynccontextmanager
async def abilities(address: str) -> AsyncIterator[Abilities]:
    """Give an extraction a model at an address; documents are read whole, so nothing retrieves."""
    from agents.providers import Providers
    from agents.usage import Usage

    deployment = Deployment("openai/scripted", "sk-scripted", address, timeout_seconds=30)
    model = Model(MODEL, MODEL, (deployment,))
    providers = Providers(ModelTable({}, {}, extraction_models={MODEL: model}))

    async def acompletion(messages: Any, **options: Any) -> Any:
        return await providers.respond(MODEL, messages, Usage(), **options)

    modes = providers.output_modes(MODEL)
    yield Abilities(_no_vectors, _no_chunks, acompletion, modes, CONTEXT_WINDOW)
    providers.close()


def _no_vectors(texts: Sequence[str]) -> Vectors:
    return np.zeros((len(texts), 1), dtype=np.float32)


async def _no_chunks(query: str, top_k: int, data_source_ids: Sequence[str]) -> list[Chunk]:
    return []


async def measure(arguments: argparse.Namespace) -> None:
    """Run it all, and keep the report."""
    documents = read_documents(arguments.data, arguments.cache)
    by_document = readers(documents)
    others = rehearsed(Author(documents, FITTED_WITH), LIES, by_document)
    if arguments.fit:
        write_calibration(others)
        return
    author = Author(documents, MEASURED_WITH)
    async with scripted_extractor() as server, abilities(server.address) as can:
        times = await overheads(documents, server, can)
        with_new_fields = await overheads(documents, server, can, with_new_fields=True)
        truths = await run(author, 0.0, by_document, server, can)
        lies = [
            outcome
            for _ in range(ROUNDS)
            for outcome in await run(author, LIES, by_document, server, can)
        ]
    publish(
        "extraction_models",
        "Extraction by a scripted model",
        HOW.replace("\n", " "),
        "## A model that tells the truth",
        truth_table(truths),
        "## A model that lies",
        lies_table({LIES: lies, FEWER_LIES: thinned(lies)}, others),
        f"What became of what it said, with {LIES:.0%} lies; the confidence is the shipped one:",
        kinds_table(lies),
        "## Beside the model's own time",
        f"{FIELDS} fields, {PAGES} pages; the target is 150 ms. The model takes {THINKS_SECONDS} "
        "s, and what needs no answer is done meanwhile. Other work on the machine makes it longer.",
        overhead_table({"again": times, "for the first time": with_new_fields}),
    )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the sets")
    parser.add_argument("--cache", type=Path, help="a folder that keeps the pages that were read")
    parser.add_argument("--fit", action="store_true", help="write the calibration again")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"Nothing to measure: {arguments.data} is not there.")
        return
    prepare_library_environment()
    asyncio.run(measure(arguments))


if __name__ == "__main__":
    main()
