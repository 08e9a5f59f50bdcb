import pytest

from agents.citations import Citation, CitationStream
from tests.agents.chunks import chunk

CHUNKS = [chunk(number) for number in range(1, 4)]


@pytest.mark.parametrize(
    ("said", "heard", "cited"),
    [
        pytest.param("It ends.", "It ends.", [], id="none"),
        pytest.param("A <source_id=2>.", "A <source_id=1>.", [2], id="renumbered"),
        pytest.param(
            "A <source_id=3>, B <source_id=1>, C <source_id=3>.",
            "A <source_id=1>, B <source_id=2>, C <source_id=1>.",
            [3, 1],
            id="in order of first use",
        ),
        pytest.param(
            "A <source_id=2><source_id=1>.", "A <source_id=1><source_id=2>.", [2, 1], id="several"
        ),
        pytest.param("A <source_id=4>.", "A .", [], id="number too high"),
        pytest.param("A <source_id=0>.", "A .", [], id="zero"),
        pytest.param("A <source_id=02>.", "A <source_id=1>.", [2], id="leading zero"),
        pytest.param("A <source_id=٢>.", "A <source_id=1>.", [2], id="digit of another script"),
        pytest.param("A <source_id=x>.", "A <source_id=x>.", [], id="no number"),
        pytest.param("A <source_id=1234567>.", "A <source_id=1234567>.", [], id="too long"),
        pytest.param("A <Source_id=1>.", "A <Source_id=1>.", [], id="capital"),
        pytest.param("a < b <<source_id=1>", "a < b <<source_id=1>", [1], id="a bracket before"),
    ],
)
def test_keys_are_ours_however_they_are_split(said: str, heard: str, cited: list[int]) -> None:
    for size in range(1, len(said) + 1):
        stream = CitationStream(CHUNKS)
        parts = [said[start : start + size] for start in range(0, len(said), size)]

        out = [stream.feed(part) for part in parts] + [stream.close()]

        assert "".join(out) == heard
        assert stream.citations == [
            Citation(number, CHUNKS[named - 1]) for number, named in enumerate(cited, start=1)
        ]


def test_no_key_is_split_between_two_parts() -> None:
    said = "A <source_id=2>, B <source_id=1>."
    stream = CitationStream(CHUNKS)

    out = [stream.feed(character) for character in said]

    assert [part for part in out if "<" in part or ">" in part] == [
        "<source_id=1>",
        "<source_id=2>",
    ]


def test_only_what_may_become_a_key_is_held_back() -> None:
    stream = CitationStream(CHUNKS)

    out = [stream.feed(part) for part in ("a <", "b", " <source", "_id=1", "> c")]

    assert out == ["a ", "<b", " ", "", "<source_id=1> c"]
    assert stream.close() == ""


def test_key_is_what_the_text_holds() -> None:
    assert Citation(7, CHUNKS[0]).key == "<source_id=7>"
