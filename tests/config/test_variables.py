from config.variables import Place

PLACE = Place(model="openai/${MODEL}", api_base="BASE", api_key="KEY")


def test_name_and_address_say_which_variables_they_need() -> None:
    assert list(PLACE.needed()) == ["MODEL", "BASE"]
    assert list(Place("openai/bge", "http://127.0.0.1/v1", "KEY").needed()) == []


def test_variables_are_filled_in() -> None:
    values = {"MODEL": "bge", "BASE": "http://127.0.0.1/v1", "KEY": "sk-secret"}

    assert PLACE.filled_in(values.__getitem__) == Place(
        "openai/bge", "http://127.0.0.1/v1", "sk-secret"
    )
