from extraction.values.currency_names import (
    COMMON_CODES,
    codes_in_use,
    currency_codes,
    currency_names,
    name_words,
)


def test_codes_are_those_of_money() -> None:
    assert {"EUR", "MYR", "XOF", "DEM"} <= currency_codes()
    assert not {"XAU", "XXX", "XTS", "XDR"} & currency_codes()


def test_codes_in_use_leave_out_the_past() -> None:
    assert "EUR" in codes_in_use()
    assert "DEM" not in codes_in_use()


def test_common_codes_are_in_use() -> None:
    assert codes_in_use() >= COMMON_CODES


def test_names_are_known_in_many_languages() -> None:
    names = ["Schweizer Franken", "US dollars", "livre sterling", "dólar estadounidense"]

    words = [name_words(name) for name in names]

    assert [currency_names()[one[0]][one] for one in words] == [
        ("CHF",),
        ("USD",),
        ("GBP",),
        ("USD",),
    ]
