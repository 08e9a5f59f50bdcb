"""Unstructured tells titles from prose by words and sentences, without a language model."""

import io
import subprocess
import sys
import time

import docx
import pytest
from docx.oxml import parse_xml
from unstructured.partition.text_type import is_possible_narrative_text, is_possible_title

from indexing.partition.office.unstructured_parts import partition_docx
from tests.indexing.partition.docx_xml import NAMESPACES, SEEN, words


@pytest.mark.parametrize(
    "text",
    [
        "Termination",
        "4.2 Notice period",
        "Übergangs- und Schlußbestimmungen",
        "Our Plan for the U.S. Market in 2025",
    ],
    ids=["word", "number", "umlauts", "abbreviation"],
)
def test_title_is_a_title(text: str) -> None:
    assert is_possible_title(text)
    assert not is_possible_narrative_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "The lease ends in May of next year. The deposit is then paid back within a month.",
        'He asked: "Is it due at once?" Nobody in the whole house knew what to say.',
    ],
    ids=["prose", "quotes"],
)
def test_sentences_are_prose(text: str) -> None:
    assert is_possible_narrative_text(text)


@pytest.mark.parametrize(
    "text",
    ["." * 200_000 + "a", '."' * 100_000, "a'" * 100_000, "." + " " * 200_000 + "a"],
    ids=["points", "quotes", "apostrophes", "spaces"],
)
def test_sentences_of_a_hostile_text_are_soon_counted(text: str) -> None:
    began = time.process_time()

    is_possible_narrative_text(text)
    is_possible_title(text)

    assert time.process_time() - began < 5


def test_reading_loads_no_language_model_and_no_lists_of_words_or_languages() -> None:
    unwanted = {"spacy", "unstructured.nlp.english_words", "iso639"}
    program = f"import sys, indexing.partition.word.document; print({unwanted} & set(sys.modules))"

    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "set()\n"


@pytest.mark.parametrize(
    ("runs", "pages"),
    [
        pytest.param(
            [words("alpha"), SEEN, words("bravo"), SEEN],
            [("alpha", 1), ("bravo", 2), ("next", 3)],
            id="one that ends it",
        ),
        pytest.param(
            [SEEN, words("alpha"), SEEN, words("bravo")],
            [("alpha", 2), ("bravo", 3), ("next", 3)],
            id="one that begins it",
        ),
        pytest.param(
            ["<w:r><w:t>alpha</w:t><w:lastRenderedPageBreak/><w:t>bravo</w:t></w:r>", SEEN, SEEN],
            [("alpha", 1), ("bravo", 2), ("next", 4)],
            id="one within a run and an empty page",
        ),
    ],
)
def test_a_paragraph_is_parted_at_each_end_of_a_page(
    runs: list[str], pages: list[tuple[str, int]]
) -> None:
    file = document_of("".join(runs), words("next"))

    elements = partition_docx(file=file, languages=[""])

    told = [(one.text, one.metadata.page_number) for one in elements if one.text]
    assert told == pages


def test_a_paragraph_over_any_number_of_pages_is_soon_read() -> None:
    file = document_of((words("a") + SEEN) * 3000)
    began = time.process_time()

    elements = partition_docx(file=file, languages=[""], include_page_breaks=False)

    assert elements[-1].metadata.page_number == 3000
    assert time.process_time() - began < 10


def test_a_paragraph_that_is_formatted_in_no_known_way_is_text() -> None:
    bold = '<w:r><w:rPr><w:b w:val="x"/></w:rPr><w:t>The lamps are due.</w:t></w:r>'

    (element, *_) = partition_docx(file=document_of(bold), languages=[""])

    assert element.text == "The lamps are due."


def document_of(*paragraphs: str) -> io.BytesIO:
    document = docx.Document()
    for runs in reversed(paragraphs):
        document.element.body.insert(0, parse_xml(f"<w:p {NAMESPACES}>{runs}</w:p>"))
    file = io.BytesIO()
    document.save(file)
    return file
