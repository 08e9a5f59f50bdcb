import pytest

from extraction.built_in.jurisdictions import jurisdictions
from tests.extraction.built_in.pages import passages


@pytest.mark.parametrize(
    ("clause", "place"),
    [
        ("It shall be governed by the laws of the State of New York, without more.", "New York"),
        ("It is construed under the laws of New Jersey.", "New Jersey"),
        ("IT IS GOVERNED BY THE LAWS OF THE STATE OF TEXAS APPLICABLE TO IT.", "TEXAS"),
        ("The internal law of the Commonwealth of Virginia applies.", "Virginia"),
        ("English law applies to it.", "English"),
        ("Es gilt das Recht der Bundesrepublik Deutschland.", "Bundesrepublik Deutschland"),
    ],
)
def test_the_place_of_the_law_is_found(clause: str, place: str) -> None:
    assert [one.value for one in jurisdictions(passages(clause))] == [place]


def test_a_law_that_governs_has_the_form_of_one() -> None:
    governs, speaks = jurisdictions(
        passages("It is governed by the laws of Ohio.\nThe laws of Iowa are many.")
    )

    assert (governs.form, speaks.form) == (1.0, 0.0)


def test_any_law_is_of_no_place() -> None:
    assert not list(jurisdictions(passages("The laws of Any other place. Applicable law.")))
