import pytest

from agents.extractive.reading import reading_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The tenant pays the rent by the third day of each month.", "english"),
        ("Der Mieter zahlt die Miete bis zum dritten Werktag.", "german"),
        ("Le locataire paie le loyer avant le cinq du mois.", "french"),
        ("El inquilino paga la renta antes del cinco de cada mes.", "spanish"),
        ("家賃は十万円です。", "english"),
        ("", "english"),
    ],
)
def test_language_is_told_by_its_stop_words(text: str, language: str) -> None:
    assert reading_language([text]) == language
