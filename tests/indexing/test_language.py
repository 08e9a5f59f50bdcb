import pytest

from indexing.language import language_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The rent is due in March, and so is the deposit.", "english", id="English"),
        pytest.param("Die Miete ist im März fällig, die Kaution auch.", "german", id="German"),
        pytest.param("Le loyer est dû en mars, et la caution aussi.", "french", id="French"),
        pytest.param("Kira Mart ayında ödenir, depozito da öyle.", "turkish", id="Turkish"),
        pytest.param("Арендная плата вносится в марте, залог тоже.", "russian", id="Russian"),
        pytest.param("Το ενοίκιο οφείλεται τον Μάρτιο.", "greek", id="Greek"),
        pytest.param("الإيجار مستحق في شهر مارس والتأمين كذلك", "arabic", id="Arabic"),
        pytest.param("किराया मार्च में देय है और जमा राशि भी।", "hindi", id="Hindi"),
        pytest.param("Čeština: nájemné je splatné v březnu a jistota také.", "czech", id="Czech"),
        pytest.param("Tiền thuê nhà đến hạn vào tháng ba.", "other", id="no stemmer"),
        pytest.param(
            "家賃は三月に支払われます。敷金も同じく三月に支払われます。", "english", id="Japanese"
        ),
        pytest.param("Rechnung", "english", id="too short"),
        pytest.param("1.234,50 2024-01-01 | 17 % | 12 345", "english", id="numbers"),
        pytest.param("", "english", id="nothing"),
    ],
)
def test_language_of_a_text(text: str, expected: str) -> None:
    assert language_of([text]) == expected


def test_most_of_a_document_decides() -> None:
    english = "This page was left blank on purpose, for all who read it."
    german = "Die Kündigungsfrist beträgt drei Monate zum Ende eines Quartals, wenn nichts gilt."

    assert language_of([english, *[german] * 99]) == "german"
    assert language_of([*[english] * 99, german]) == "english"


def test_no_texts_count_as_english() -> None:
    assert language_of([]) == "english"


def test_numbers_do_not_hide_the_language() -> None:
    assert language_of(["Gesamtbetrag der Rechnung 12 345 EUR, fällig 2024-01-01 | 17 %"] * 3) == (
        "german"
    )
