import pytest

from app.console.passwords import hash_password, is_password, what_is_wrong_with


async def test_only_the_password_fits_its_hash() -> None:
    password_hash = await hash_password("correct horse battery")

    assert password_hash.startswith("$argon2id$")
    assert await is_password("correct horse battery", password_hash)
    for other in ("", "Correct horse battery", "x" * 1_000_000):
        assert not await is_password(other, password_hash)


async def test_hash_that_is_none_fits_nothing() -> None:
    assert not await is_password("", "")


async def test_same_password_has_another_hash_each_time() -> None:
    assert await hash_password("correct horse") != await hash_password("correct horse")


@pytest.mark.parametrize(
    ("password", "is_admitted"),
    [("x" * 9, False), ("x" * 10, True), ("x" * 200, True), ("x" * 201, False)],
)
def test_length_of_a_password_is_limited(password: str, is_admitted: bool) -> None:
    assert (what_is_wrong_with(password) is None) == is_admitted
