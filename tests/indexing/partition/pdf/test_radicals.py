import unicodedata

import pytest

from indexing.partition.pdf.radicals import with_characters


@pytest.mark.parametrize(
    ("drawn", "written"),
    [
        ("甲⽅于⼆⽉⼗⽇⽀付", "甲方于二月十日支付"),
        ("⼈⺠币", "人民币"),
        ("⻓⻔⻋⻚ ⻄⻘⻩", "长门车页 西青黄"),
        ("〡 ⿰ 方面", "〡 ⿰ 方面"),
    ],
)
def test_radicals_are_the_characters_of_their_form(drawn: str, written: str) -> None:
    assert with_characters(drawn) == written


def test_each_radical_is_one_character() -> None:
    radicals = "".join(map(chr, range(0x2E80, 0x2FD6)))
    assert len(with_characters(radicals)) == len(radicals)
    assert "RADICAL" not in " ".join(
        unicodedata.name(one) for one in with_characters(radicals[0x80:])
    )
