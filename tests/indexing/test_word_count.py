import pytest

from indexing.word_count import count_words, room_of_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("", 0, id="nothing"),
        pytest.param("The lamp oil\nis dear - and rare.", 8, id="English"),
        pytest.param("L'été à Genève", 3, id="French"),
        pytest.param("램프 기름이 비쌉니다", 3, id="Korean"),
        pytest.param("灯油很贵，而且稀少。", 5, id="Chinese"),
        pytest.param("ランプの油は高い", 4, id="Japanese"),
        pytest.param("น้ำมันตะเกียงมีราคาแพง", 6, id="Thai"),
        pytest.param("2024年 ABC公司", 4, id="with figures and letters"),
        pytest.param("灯", 1, id="one character"),
    ],
)
def test_words_are_counted_with_and_without_blanks(text: str, words: int) -> None:
    assert count_words(text) == words


def test_a_page_of_characters_has_the_room_of_a_page_of_words() -> None:
    assert room_of_words("灯" * 1800) == 600
    assert room_of_words("lamp " * 600) == 600
