"""Citations of a model that mis-cites: does what goes out name the passages that have the words?

A scripted model writes sentences of the passages it was given, lightly reworded, and cites 30 % of
them wrongly: another passage, a number that no passage has, or none. The truth is the passage that
a sentence was taken from. Besides, numbers and names are changed: are these sentences found?

The texts may not be passed on, so they are read from where they lie and never copied.
"""

import argparse
import random
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from agents.citations import CitationStream
from agents.content_words import capitalised, words
from agents.grounding import Verdict
from agents.sentences import UnitKind, split_sentences, units
from benchmarks.question_sets import read_set
from benchmarks.report import publish, table
from indexing.chunking import chunk
from indexing.partition.continuation import continued
from indexing.partition.pdf.document import open_pdf
from indexing.types import NO_PAGE, Block, Chunk, Page

ROOT = Path(__file__).parent.parent
SETS = ("retrieval/squad", "page_qa/financebench", "page_qa/mmlongbench")
PAGES_OF_A_DOCUMENT = 60
ANSWERS = 100
PASSAGES = 8
SENTENCES = 5
MISCITED = 0.3

_KEY = re.compile(r"<source_id=(\d+)>")
_KEYS_BEHIND = re.compile(r"[\s.]*((?:<source_id=\d+>\s*)*)")
_NUMBER = re.compile(r"\d[\d.,]*\d|\d")
_GROUPED = re.compile(r"\b\d{1,3}(?:,\d{3})+\b(?!\.\d)")
_LINK = re.compile(r"//|www\.|\]\(|<|@")
_SYNONYMS = {
    "began": "started", "because": "since", "large": "big", "also": "too", "many": "numerous",
    "increased": "rose", "approximately": "about", "obtain": "get", "however": "but",
    "important": "significant", "showed": "demonstrated", "including": "such as", "used": "applied",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Corpus:
    """Passages of one set, and the text of each page as it stands in the file."""

    name: str
    chunks: Sequence[Chunk]
    pages: dict[tuple[str, int], str]


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence of the scripted model."""

    text: str
    sources: frozenset[int]  # the passages that have it, by number
    cited: int | None


@dataclass(slots=True)
class Tally:
    """What was counted over all answers of a set."""

    written: Counter[str] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    quotes: int = 0
    verbatim: int = 0
    foreign: int = 0
    microseconds: list[float] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    folders = [arguments.data / name for name in SETS]
    if not all(folder.is_dir() for folder in folders):
        print(f"Skipped: the sets are not at {arguments.data}; name their folder with --data.")
        return
    chance = random.Random(arguments.seed)
    cited, changed = [], []
    for folder in folders:
        corpus = read_corpus(folder)
        groups = list(islice(neighbourhoods(corpus.chunks, chance), ANSWERS))
        cited.append(_citation_row(corpus, groups, chance))
        changed += [_change_row(corpus.name, kind, groups, chance) for kind in ("number", "name")]
    publish(
        "citations",
        "Citations of a model that mis-cites 30 % of its sentences",
        table(CITATION_HEADER, cited),
        "Right sentences with something changed, each behind the key of its own passage:",
        table(CHANGE_HEADER, changed),
        NOTES,
    )


CITATION_HEADER = (
    "set", "sentences", "precision as written", "precision as sent", "recall as sent",
    "of those with a key", "cited passages given", "quotes verbatim on their page",
    "µs a token, p50 / p99",
)  # fmt: skip
CHANGE_HEADER = ("set", "changed", "sentences", "unsupported", "partial", "supported")
NOTES = f"""\
{ANSWERS} answers of {SENTENCES} sentences to each set, over {PASSAGES} passages that share as many
words as possible. Reworded: words dropped, synonyms, clauses exchanged, marks between thousands
changed. A citation is right if the passage has the sentence that was reworded. Precision: of the
citations, how many are right. Recall: of the sentences, how many have a right one; a sentence that
the model gave no key gets none. A quote is verbatim if each of its lines stands on the page as it
was read, headers of tables with it. Thresholds were chosen on these sets."""


def read_corpus(folder: Path) -> Corpus:
    """Read the passages of a set, cut as the service cuts them."""
    questions = read_set(folder)
    chunks: list[Chunk] = []
    pages: dict[tuple[str, int], str] = {}
    for document in questions.documents:
        if document.file_name.endswith(".pdf"):
            read = _first_pages(document.content)
            for page in read:
                parts = [part for block in page.blocks for part in (block.header, block.text)]
                pages[document.id, page.number] = "\n".join(parts)
            passages = [(one.page_number, one.content) for one in chunk(_in_place(read))]
        else:
            text = document.content.decode()
            pages[document.id, NO_PAGE] = text
            passages = [(NO_PAGE, text.split("\n\n", 1)[-1])]
        for number, content in passages:
            chunk_id = f"{document.id}_{len(chunks)}"
            chunks.append(Chunk(chunk_id, document.id, document.file_name, number, content))
    return Corpus(folder.name, chunks, pages)


def _first_pages(pdf: bytes) -> list[Page]:
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(pdf)
        file.flush()
        return list(islice(open_pdf(Path(file.name)).pages, PAGES_OF_A_DOCUMENT))


def _in_place(pages: Iterable[Page]) -> Iterator[Page]:
    before: Sequence[Block] = ()
    for page in pages:
        placed = continued(page, before)
        before = placed.blocks or before
        yield placed


def neighbourhoods(chunks: Sequence[Chunk], chance: random.Random) -> Iterator[list[Chunk]]:
    """Yield passages with the most words in common, in any order: as a search would give them."""
    having: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(chunks):
        for word in words(one.content):
            having[word].append(place)
    while True:
        first = chance.randrange(len(chunks))
        shared: Counter[int] = Counter()
        for word in words(chunks[first].content):
            for place in having[word]:
                shared[place] += 1 / len(having[word])
        group = [chunks[place] for place, _ in shared.most_common(PASSAGES)]
        chance.shuffle(group)
        if len(group) == PASSAGES:
            yield group


def _citation_row(
    corpus: Corpus, groups: Sequence[Sequence[Chunk]], chance: random.Random
) -> list[object]:
    tally = Tally()
    for group in groups:
        answer = [_cited(one, chance) for one in _answer(group, chance)]
        _play(corpus, group, answer, tally, chance)
    written, sent = tally.written, tally.sent
    times = sorted(tally.microseconds)
    return [
        corpus.name,
        written["sentences"],
        _share(written["right"], written["citations"]),
        _share(sent["right"], sent["citations"]),
        _share(sent["found"], written["sentences"]),
        _share(sent["found with a key"], written["with a key"]),
        _share(tally.quotes - tally.foreign, tally.quotes),
        _share(tally.verbatim, tally.quotes),
        f"{times[len(times) // 2]:.1f} / {times[len(times) * 99 // 100]:.0f}",
    ]


def _play(
    corpus: Corpus,
    group: Sequence[Chunk],
    answer: Sequence[Written],
    tally: Tally,
    chance: random.Random,
) -> None:
    """Let the model write an answer, and count what it cited and what went out."""
    stream = CitationStream(group)
    said, times = _said(stream, answer, chance)
    tally.microseconds += times
    at = 0
    places = {one.chunk.chunk_id: number for number, one in enumerate(stream.citations, start=1)}
    by_number = {
        places[one.chunk_id]: place
        for place, one in enumerate(group, start=1)
        if one.chunk_id in places
    }
    for one in answer:
        at = said.index(one.text, at) + len(one.text)
        behind = _KEYS_BEHIND.match(said, at)
        keys = {by_number[int(key)] for key in _KEY.findall(behind[1] if behind else "")}
        tally.written["sentences"] += 1
        tally.written["citations"] += one.cited is not None
        tally.written["right"] += one.cited in one.sources
        tally.written["with a key"] += one.cited is not None
        tally.sent["citations"] += len(keys)
        tally.sent["right"] += len(keys & one.sources)
        tally.sent["found"] += bool(keys & one.sources)
        tally.sent["found with a key"] += one.cited is not None and bool(keys & one.sources)
    for citation in stream.citations:
        tally.quotes += 1
        tally.foreign += citation.chunk not in group
        page = corpus.pages[citation.chunk.data_source_id, citation.chunk.page_number]
        # Line by line: the header of a table is repeated with each group of its rows.
        lines = citation.chunk.content.split("\n")
        tally.verbatim += all(_squeezed(line) in _squeezed(page) for line in lines)


def _said(
    stream: CitationStream, answer: Sequence[Written], chance: random.Random
) -> tuple[str, list[float]]:
    """Stream an answer in pieces of a few characters; return it with the time of each."""
    between = chance.choice((" ", "\n"))
    text = between.join(
        f"{one.text} <source_id={one.cited}>." if one.cited is not None else f"{one.text}."
        for one in answer
    )
    out, times, at = [], [], 0
    while at < len(text):
        size = chance.randint(1, 8)
        started = time.perf_counter()
        out.append(stream.feed(text[at : at + size]))
        times.append(1e6 * (time.perf_counter() - started))
        at += size
    return "".join([*out, stream.close()]), times


def _answer(group: Sequence[Chunk], chance: random.Random) -> Iterator[Written]:
    """Yield sentences of the passages in new words."""
    sentences = [(number, one) for number, c in enumerate(group, 1) for one in _sentences(c)]
    for number, sentence in chance.sample(sentences, min(SENTENCES, len(sentences))):
        having = {
            n for n, one in enumerate(group, 1) if _squeezed(sentence) in _squeezed(one.content)
        }
        text = _reworded(sentence, chance)
        if len(list(split_sentences(f"{text}."))) == 1:
            yield Written(text, frozenset(having | {number}), number)


def _sentences(passage: Chunk) -> Iterator[str]:
    for unit in units(passage.content):
        text = unit.text.rstrip(".")
        is_said = unit.kind is UnitKind.SENTENCE and 8 <= len(text.split()) <= 40
        is_said = is_said and text[0].isalpha()  # Other marks may begin a heading, or a list.
        if is_said and unit.text.endswith(".") and not _LINK.search(text):
            yield text


def _cited(one: Written, chance: random.Random) -> Written:
    """Cite a sentence, at random wrongly."""
    if chance.random() >= MISCITED:
        return one
    others = [number for number in range(1, PASSAGES + 1) if number not in one.sources]
    wrong = chance.choice(("other", "invented", "none"))
    if wrong == "none":
        return Written(one.text, one.sources, None)
    cited = (
        PASSAGES + chance.randint(1, 90) if wrong == "invented" else chance.choice(others or [0])
    )
    return Written(one.text, one.sources, cited)


def _reworded(sentence: str, chance: random.Random) -> str:
    """Say a sentence otherwise, without changing a number or a name."""
    clauses = sentence.split(", ")
    if len(clauses) == 2 and chance.random() < 0.5:
        clauses.reverse()
    sentence = ", ".join(clauses)
    said = []
    for place, word in enumerate(sentence.split()):
        can_go = place > 0 and word.islower() and word.isalpha()
        if not (can_go and chance.random() < 0.15):
            said.append(_SYNONYMS.get(word, word) if chance.random() < 0.7 else word)
    mark = chance.choice((",", "", " ", "."))
    return _GROUPED.sub(lambda number: number[0].replace(",", mark), " ".join(said))


def _change_row(
    name: str, kind: str, groups: Sequence[Sequence[Chunk]], chance: random.Random
) -> list[object]:
    verdicts: Counter[Verdict] = Counter()
    for group in groups:
        for one in _answer(group, chance):
            text = _CHANGES[kind](one.text, group[(one.cited or 1) - 1], group, chance)
            if text == one.text:
                continue
            stream = CitationStream(group)
            stream.feed(f"{text} <source_id={one.cited}>.")
            stream.close()
            verdicts[stream.verification[0].verdict] += 1
    total = verdicts.total()
    shown = (Verdict.UNSUPPORTED, Verdict.PARTIAL, Verdict.SUPPORTED)
    return [name, kind, total, *(_share(verdicts[verdict], total) for verdict in shown)]


def _other_number(text: str, passage: Chunk, group: Sequence[Chunk], chance: random.Random) -> str:
    """Change a digit of one of the numbers."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    number = chance.choice(found)
    at = chance.choice([at for at in range(*number.span()) if text[at].isdigit()])
    digit = chance.choice([digit for digit in "123456789" if digit != text[at]])
    return text[:at] + digit + text[at + 1 :]


def _other_name(text: str, passage: Chunk, group: Sequence[Chunk], chance: random.Random) -> str:
    """Put a name of another passage in the place of one of the names."""
    own = sorted({name for name in capitalised(text) if len(name) > 3})
    others = {name for one in group for name in capitalised(one.content) if len(name) > 3}
    others = {name for name in others if not words(name) & words(passage.content)}
    if not own or not others:
        return text
    return text.replace(chance.choice(own), chance.choice(sorted(others)), 1)


_CHANGES = {"number": _other_number, "name": _other_name}


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


if __name__ == "__main__":
    main()
