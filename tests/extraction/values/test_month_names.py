import pytest

from extraction.values.month_names import month_names


@pytest.mark.parametrize(
    ("name", "month"),
    [
        pytest.param("march", 3, id="english"),
        pytest.param("marz", 3, id="german"),
        pytest.param("fevrier", 2, id="french"),
        pytest.param("dicembre", 12, id="italian"),
        pytest.param("mrt", 3, id="dutch, short"),
        pytest.param("listopada", 11, id="polish has it before croatian"),
        pytest.param("сентября", 9, id="russian"),
        pytest.param("thang 12", 12, id="vietnamese"),
    ],
)
def test_month_is_known_by_its_folded_name(name: str, month: int) -> None:
    assert month_names()[name] == month


def test_every_month_has_names() -> None:
    assert set(month_names().values()) == set(range(1, 13))
