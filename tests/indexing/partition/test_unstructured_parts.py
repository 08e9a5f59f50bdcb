"""Unstructured tells titles from prose by words and sentences, without a language model."""

import subprocess
import sys
import time

import pytest
from unstructured.partition.text_type import is_possible_narrative_text, is_possible_title

from indexing.partition import unstructured_parts

assert unstructured_parts.partition_docx  # By its import, words are counted as they are here.


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


def test_reading_loads_no_language_model() -> None:
    program = "import sys, indexing.partition.office; sys.exit('spacy' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
