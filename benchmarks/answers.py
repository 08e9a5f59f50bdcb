"""How good the built-in answerer is: are its answers right, and does it know when it has none.

The documents are read and retrieved by a service over HTTP. The answers are made here, from the
same prompt, so that their confidence and the processor time they take can be seen.

`--fit` prints the weights of its confidence as the articles to fit on give them, in place of the
report.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean, median

import numpy as np
from numpy.typing import NDArray

from agents.built_in import Embed
from agents.extractive.confidence import WEIGHTS
from agents.extractive.extract import Extract, extract, rank
from agents.prompts import read_passages, render_answer_messages
from app.embedded_postgres import attach
from benchmarks.answer_sets import (
    AnswerQuestion,
    Neighbours,
    read_page_questions,
    read_text_questions,
    retrieve,
)
from benchmarks.question_sets import read_set
from benchmarks.report import publish, table
from benchmarks.retrieval_quality import DATA, load
from benchmarks.service import RunningService, running_service
from config.settings import prepare_library_environment
from indexing.embedding import MiniLMEmbedder, Vectors
from indexing.types import Chunk

TEXTS = "retrieval/squad"
ELSEWHERE = "retrieval/hotpotqa100"
PAGES = ("page_qa/financebench", "page_qa/mmlongbench")

FITTED_ON = (
    "Computational complexity theory",
    "Geology",
    "Nikola Tesla",
    "Rhine",
    "Victoria (Australia)",
)
"""The articles whose questions the confidence is fitted on: of those there are, every other one."""

ELSEWHERE_SHARE = 0.15
"""Of the weight of the questions without an answer: that of those about something else."""

RIDGE = 3.0
TIMED = 200
QUICK_STEP = 20

HOW = f"""Each question is answered from the passages that the service retrieves for it,
the best chunks joined with those beside them. "Answer in
text": the response holds an accepted answer, word for word. Unanswerable are SQuAD 2.0's questions
that were written to look as if the article answered them; off-topic are hotpotqa's questions.
AUROC is that of the confidence, between answerable and unanswerable questions: 1 tells them all
apart, 0.5 none. The confidence was fitted on the questions of {len(FITTED_ON)} articles
({", ".join(FITTED_ON)}). What counts as an opposite and as a denial was settled after reading
questions of all articles, so the other ones are not quite unseen either; the off-topic questions
are among those it was fitted on. Figures and the rows of tables have been worked on with the
questions about pages in view."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the passages retrieved for it, and the answer."""

    question: AnswerQuestion
    chunks: Sequence[Chunk]
    extract: Extract

    @property
    def response(self) -> str:
        """What is answered, without keys."""
        return "\n".join(sentence.text for sentence in self.extract.sentences)

    @property
    def is_refused(self) -> bool:
        """Whether nothing is answered."""
        return not self.extract.sentences

    @property
    def is_in_passages(self) -> bool:
        """Whether an accepted answer stands in what was retrieved."""
        return self.question.is_answered_by(" ".join(chunk.content for chunk in self.chunks))

    @property
    def page_is_retrieved(self) -> bool:
        """Whether a page was retrieved that the answer stands on."""
        return any(self._is_right_page(chunk) for chunk in self.chunks)

    @property
    def cites_page(self) -> bool:
        """Whether a page is cited that the answer stands on."""
        cited = {sentence.passage for sentence in self.extract.sentences}
        return any(self._is_right_page(self.chunks[passage]) for passage in cited)

    def _is_right_page(self, chunk: Chunk) -> bool:
        in_document = chunk.filename == self.question.file_name
        return in_document and chunk.page_number in self.question.pages


Retrieved = list[tuple[AnswerQuestion, list[Chunk]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--fit", action="store_true", help="fit the confidence; no report")
    parser.add_argument("--quick", action="store_true", help="texts only, few questions; not kept")
    arguments = parser.parse_args()
    names = (TEXTS,) if arguments.quick or arguments.fit else (TEXTS, *PAGES)
    missing = [name for name in (*names, ELSEWHERE) if not (arguments.data / name).is_dir()]
    if missing:
        raise SystemExit(f"There is no {', '.join(missing)} in {arguments.data}; see --data")
    prepare_library_environment()
    with tempfile.TemporaryDirectory(prefix="ke-answers-", dir="/tmp") as directory:
        folder = Path(directory) / "data"
        with running_service(folder) as service:
            embedder = MiniLMEmbedder(folder / "models", threads=1)
            neighbours = Neighbours(attach(folder), embedder)
            step = QUICK_STEP if arguments.quick else 1
            texts, elsewhere = ask_texts(service, neighbours, arguments.data, step)
            pages = {
                name: ask_pages(service, neighbours, arguments.data / name) for name in names[1:]
            }
            neighbours.close()
    if arguments.fit:
        print(fit(texts, elsewhere, embedder))
        return
    sections = report(texts, elsewhere, pages, embedder)
    if arguments.quick:
        print("\n\n".join(sections))
    else:
        publish("answers", "Answers of the built-in answerer", HOW, *sections)


def ask_texts(
    service: RunningService, neighbours: Neighbours, data: Path, step: int
) -> tuple[Retrieved, Retrieved]:
    """Retrieve for the questions about texts, and for those about something else."""
    loaded = load(service.client, read_set(data / TEXTS))
    own = read_text_questions(data / TEXTS)[::step]
    others = [
        AnswerQuestion(one.text) for one in read_set(data / ELSEWHERE).questions[:: min(step, 5)]
    ]
    asked, off_topic = (
        [
            (
                question,
                neighbours.join(
                    loaded, retrieve(service.client, loaded, question, document_known=False)
                ),
            )
            for question in questions
        ]
        for questions in (own, others)
    )
    return asked, off_topic


def ask_pages(
    service: RunningService, neighbours: Neighbours, folder: Path
) -> dict[str, Retrieved]:
    """Retrieve for the questions about pages, from their document and from all of them.

    The chunks as they are stand beside the passages they are joined to.
    """
    loaded = load(service.client, read_set(folder))
    asked: dict[str, Retrieved] = {}
    for scope, known in (("all documents together", False), ("document known", True)):
        chunks = [
            (question, retrieve(service.client, loaded, question, document_known=known))
            for question in read_page_questions(folder)
        ]
        asked[scope] = [(question, neighbours.join(loaded, found)) for question, found in chunks]
        asked[f"{scope}, chunks not joined"] = chunks
    return asked


def fit(texts: Retrieved, elsewhere: Retrieved, embedder: MiniLMEmbedder) -> str:
    """Return the weights of the confidence, fitted by logistic regression."""
    embed = remembering(embedder)
    groups = {
        0.5: [one for one in texts if one[0].is_answerable and one[0].article in FITTED_ON],
        0.5 * (1 - ELSEWHERE_SHARE): [
            one for one in texts if not one[0].is_answerable and one[0].article in FITTED_ON
        ],
        0.5 * ELSEWHERE_SHARE: elsewhere,
    }
    rows, outcomes, importance = [], [], []
    for share, questions in groups.items():
        for question, chunks in questions:
            if ranked := rank(question.text, passages_of(question, chunks), embed):
                rows.append([ranked.signs[name] for name in WEIGHTS])
                outcomes.append(float(question.is_answerable))
                importance.append(share / len(questions))
    weights = logistic_regression(
        np.array(rows), np.array(outcomes), len(rows) * np.array(importance)
    )
    named = zip(("intercept", *WEIGHTS), weights, strict=True)
    return "\n".join(f"{name}: {weight:.1f}" for name, weight in named)


def logistic_regression(
    rows: NDArray[np.float64], outcomes: NDArray[np.float64], importance: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return intercept and weights, by Newton's method; the ridge is on standardised columns."""
    spread = rows.std(axis=0)
    x = np.c_[np.ones(len(rows)), rows / spread]
    ridge = RIDGE * np.diag([0.0, *np.ones(rows.shape[1])])
    weights = np.zeros(x.shape[1])
    for _ in range(20):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (importance * (outcomes - p)) - ridge @ weights
        curvature = (x * (importance * p * (1 - p))[:, None]).T @ x + ridge
        weights += np.linalg.solve(curvature, gradient)
    fitted: NDArray[np.float64] = weights / np.array([1.0, *spread])
    return fitted


def report(
    texts: Retrieved,
    elsewhere: Retrieved,
    pages: dict[str, dict[str, Retrieved]],
    embedder: MiniLMEmbedder,
) -> Iterator[str]:
    """Answer all questions and yield the sections of the report."""
    embed = remembering(embedder)
    answered = answer(texts, embed)
    off_topic = answer(elsewhere, embed)
    by_pages = {
        (name, scope): answer(asked, embed)
        for name, scopes in pages.items()
        for scope, asked in scopes.items()
    }
    yield text_table(answered, off_topic)
    if by_pages:
        yield page_table(by_pages)
    yield length_table({"texts": answered} | {" ".join(key): by_pages[key] for key in by_pages})
    yield processor_time(texts, embedder)


def answer(asked: Retrieved, embed: Embed) -> list[Asked]:
    """Answer every question."""
    return [
        Asked(question, chunks, extract(question.text, passages_of(question, chunks), embed))
        for question, chunks in asked
    ]


def passages_of(question: AnswerQuestion, chunks: Sequence[Chunk]) -> list[str]:
    """Return the passages as the answerer reads them, from the common prompt."""
    return read_passages(render_answer_messages(question.text, chunks, []))


def remembering(embedder: MiniLMEmbedder) -> Embed:
    """Return a function that embeds no text twice: questions share most of their passages."""

    @cache
    def vector(text: str) -> Vectors:
        return np.asarray(embedder.embed([text])[0])

    return lambda texts: np.stack([vector(text) for text in texts])


def text_table(asked: Sequence[Asked], off_topic: Sequence[Asked]) -> str:
    """Tell how the questions about texts were answered, for the articles fitted on and others."""
    articles = sorted({one.question.article for one in asked})
    tricky = {one.question.article for one in asked if not one.question.is_answerable}
    held_out = set(articles) - set(FITTED_ON)
    scopes = {
        "all articles": set(articles),
        "fitted on": set(FITTED_ON),
        "**held out**": held_out,
        "held out, with unanswerable questions": held_out & tricky,
        **{article: {article} for article in articles},
    }
    rows = [
        _text_row(name, [one for one in asked if one.question.article in scope])
        for name, scope in scopes.items()
    ]
    header = (
        *("articles", "answerable", "unanswerable", "an answer is in the passages"),
        *("answer in text", "refused wrongly", "unanswerable refused", "AUROC"),
    )
    refused = fmean(one.is_refused for one in off_topic)
    others = f"Off-topic questions refused: {refused:.1%} of {len(off_topic)}."
    return f"{table(header, rows)}\n\n{others}"


def _text_row(name: str, asked: Sequence[Asked]) -> tuple[object, ...]:
    right = [one for one in asked if one.question.is_answerable]
    tricks = [one for one in asked if not one.question.is_answerable]
    return (
        name,
        len(right),
        len(tricks),
        f"{fmean(one.is_in_passages for one in right):.1%}",
        f"{fmean(one.question.is_answered_by(one.response) for one in right):.1%}",
        f"{fmean(one.is_refused for one in right):.1%}",
        f"{fmean(one.is_refused for one in tricks):.1%}" if tricks else "",
        f"{auroc(_confidences(right), _confidences(tricks)):.3f}" if tricks else "",
    )


def _confidences(asked: Sequence[Asked]) -> NDArray[np.float64]:
    return np.array([one.extract.confidence for one in asked])


def auroc(positive: NDArray[np.float64], negative: NDArray[np.float64]) -> float:
    """Return how likely a positive is above a negative; equal ones count half."""
    above = (positive[:, None] > negative).mean()
    return float(above + 0.5 * (positive[:, None] == negative).mean())


def page_table(by_pages: dict[tuple[str, str], list[Asked]]) -> str:
    """Tell how the questions about pages were answered."""
    rows = []
    for (name, scope), asked in by_pages.items():
        right = [one for one in asked if one.question.is_answerable]
        tricks = [one for one in asked if not one.question.is_answerable]
        counts = (
            sum(one.is_in_passages for one in right),
            sum(one.page_is_retrieved for one in right),
            sum(one.question.is_answered_by(one.response) for one in right),
            sum(one.cites_page for one in right),
            sum(one.is_refused for one in right),
        )
        refused = f"{sum(one.is_refused for one in tricks)} of {len(tricks)}"
        rows.append((name, scope, len(right), *counts, refused))
    header = (
        *("set", "scope", "answerable", "an answer is in the passages", "the page is retrieved"),
        *("answer in text", "right page cited", "refused wrongly", "unanswerable refused"),
    )
    return table(header, rows)


def length_table(by_set: dict[str, list[Asked]]) -> str:
    """Tell how long the answers are that are given."""
    rows = []
    for name, asked in by_set.items():
        given = [one for one in asked if not one.is_refused]
        sentences = [len(one.extract.sentences) for one in given]
        rows.append(
            (
                name,
                f"{fmean(sentences):.2f}",
                f"{fmean(count == 1 for count in sentences):.0%}",
                f"{fmean(len(one.response) for one in given):.0f}",
            )
        )
    return table(("set", "sentences", "of one sentence", "characters"), rows)


def processor_time(texts: Retrieved, embedder: MiniLMEmbedder) -> str:
    """Measure answers as they are made in the service, nothing remembered, by one thread."""
    milliseconds = []
    for question, chunks in texts[:: max(1, len(texts) // TIMED)]:
        passages = passages_of(question, chunks)
        began = time.process_time()
        extract(question.text, passages, embedder.embed)
        milliseconds.append(1000 * (time.process_time() - began))
    slow = float(np.percentile(milliseconds, 95))
    return (
        f"Processor time of an answer from {fmean(len(chunks) for _, chunks in texts):.1f} "
        f"passages, embedding included: median {median(milliseconds):.0f} ms, p95 {slow:.0f} ms "
        f"({len(milliseconds)} questions about texts, one thread; target 150 ms)."
    )


if __name__ == "__main__":
    main()
