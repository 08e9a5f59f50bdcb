import pytest

from agents.clean_words import WordCleaner, clean

SMILE = "\U0001f600"


@pytest.mark.parametrize(
    ("words", "sent"),
    [
        pytest.param(["In ", "März"], ["In ", "März"], id="plain"),
        pytest.param([SMILE], [SMILE], id="whole pair"),
        pytest.param(["a\0b"], ["ab"], id="NUL"),
        pytest.param(["\0"], [""], id="nothing but NUL"),
        pytest.param(["a\ud83d", "\ude00b"], ["a", SMILE + "b"], id="pair in two words"),
        pytest.param(["\ud83d", "", "\ude00"], ["", "", SMILE], id="empty word between"),
        pytest.param(["a\ud83d", "b"], ["a", "b"], id="first half alone"),
        pytest.param(["a\ude00b"], ["ab"], id="second half alone"),
        pytest.param(["\ud83d\ud83d", "\ude00"], ["", SMILE], id="two first halves"),
        pytest.param(["a\ud83d"], ["a"], id="first half at the end"),
    ],
)
def test_word_goes_out_without_what_is_no_character(words: list[str], sent: list[str]) -> None:
    cleaner = WordCleaner()

    assert [cleaner.feed(word) for word in words] == sent


def test_text_as_a_whole_is_cleaned_alike() -> None:
    assert clean("a\0\ud83d\ude00\ud83d b\ude00") == f"a{SMILE} b"
