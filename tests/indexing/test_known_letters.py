import numpy as np
import pytest

from indexing.known_letters import Knowledge, is_figure, knowledge_of

ENGLISH = ("The lease ends in March of the next year", 0.99, 20)
RUSSIAN = ("      .  ", 0.9, 24)
"""What comes of a line in letters that are not known: the spaces between its words."""


@pytest.mark.parametrize(
    ("text", "expected"), [("2 818,33", True), ("14/03/2024", True), ("LN-100", False)]
)
def test_numbers_dates_and_amounts_are_figures(text: str, expected: bool) -> None:
    assert is_figure(text) is expected


def test_words_are_unknown_whatever_figures_stand_beside() -> None:
    lines = [RUSSIAN, *[("2 818,33", 1.0, 3)] * 40]

    assert _knowledge(*lines).is_unknown
    assert not _knowledge(ENGLISH, *lines[1:]).is_unknown


def test_a_short_text_of_which_nothing_is_known_is_blank() -> None:
    assert _knowledge(("  !", 0.62, 6), ("", 0.0, 8)).is_blank
    assert not _knowledge(("  !", 0.62, 6), ("", 0.0, 8)).is_unknown
    assert not _knowledge(("Fog", 0.9, 3), ("lantern", 0.9, 8)).is_blank
    assert _knowledge(("", 0.0, 5)).is_blank
    assert not _knowledge(("", 0.0, 4)).is_blank


def test_a_line_in_other_letters_is_an_unknown_part() -> None:
    knowledge = _knowledge(ENGLISH, RUSSIAN, ENGLISH)

    assert knowledge.has_unknown_parts
    assert knowledge.are_unknown.tolist() == [False, True, False]
    assert not knowledge.is_unknown


@pytest.mark.parametrize(
    "line",
    [
        pytest.param((" ", 0.9, 8), id="short"),
        pytest.param(("", 0.1, 60), id="no letters at all"),
    ],
)
def test_what_may_be_no_text_is_no_unknown_part(line: tuple[str, float, int]) -> None:
    assert not _knowledge(ENGLISH, line, ENGLISH).has_unknown_parts


def test_what_may_have_unknown_letters_among_others_is_doubtful() -> None:
    lines = [ENGLISH, ("O   R 596185", 0.93, 11), ("OcTaTOK", 0.72, 3)]

    assert _knowledge(*lines).are_doubtful.tolist() == [False, True, True]


def test_words_that_are_read_without_being_sure_are_told_whatever_figures_stand_beside() -> None:
    figures = [("45.50", 1.0, 2)] * 12

    assert _knowledge(("Ell seul da5 les", 0.54, 24), *figures).is_unsure
    assert not _knowledge(ENGLISH, ("Ell", 0.54, 3), *figures).is_unsure


def test_what_is_guessed_of_unknown_letters_is_told_from_figures_and_words_beside() -> None:
    hebrew = ("SCLULU CLOLUEU ULL QrLLL CO LXALL AL LEA Lr LUrLICE AALAL", 0.71, 30)
    lines = [hebrew, hebrew, ("240,000", 0.7, 4), ("Acme Ltd", 0.97, 4)]

    assert _knowledge(*lines).are_guessed.tolist() == [True, True, False, False]
    assert not _knowledge(ENGLISH, ("OcTaTOK", 0.72, 3)).are_guessed.any()


def test_letters_taken_for_capitals_that_make_no_words_are_unknown() -> None:
    hebrew = ("SCLULU CLOLUEU ULL QrLLL CO LXALL AL LEA Lr LUrLICE AALAL", 0.71, 30)

    assert _knowledge(hebrew).is_unknown
    assert not _knowledge((*hebrew[:1], 0.95, 30)).is_unknown


def test_words_of_a_language_are_known_though_they_are_blurred() -> None:
    blurred = ("Tbe lease ends in Narch of the uext year and wilI not be prolonged", 0.71, 30)

    assert not _knowledge(blurred).is_unknown


def test_nothing_is_unknown_where_nothing_is() -> None:
    knowledge = _knowledge()

    assert not knowledge.is_unknown
    assert not knowledge.has_unknown_parts


def _knowledge(*lines: tuple[str, float, int]) -> Knowledge:
    texts, scores, lengths = zip(*lines, strict=True) if lines else ((), (), ())
    return knowledge_of(texts, scores, np.array(lengths, dtype=float))
