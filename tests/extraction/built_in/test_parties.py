from extraction.built_in.parties import distinct, parties
from tests.extraction.built_in.pages import LEASE, passages


def test_a_preamble_names_the_parties() -> None:
    (named,) = parties(passages(LEASE))

    assert named.value == "Northgate Storage GmbH; Harbour Lamps Ltd"


def test_a_person_may_be_a_party() -> None:
    preamble = 'This is made between Sun Solar, Inc., a Delaware company ("Company"), and Ann Lee.'

    assert [one.value for one in parties(passages(preamble))] == ["Sun Solar, Inc.; Ann Lee"]


def test_those_who_sign_a_letter_are_its_parties() -> None:
    letter = "You consider a deal.\nSUPERIOR LAMPS INC.\nBy: /s/ A. Lee\nLinde AG\nBy: /s/ G. Denk"

    assert [one.value for one in parties(passages(letter))] == ["SUPERIOR LAMPS INC.; Linde AG"]


def test_a_name_is_kept_once_and_not_in_capitals() -> None:
    assert distinct(["ACME, INC.", "Acme, Inc.", "Inc.", "Bolt Ltd"]) == ["Acme, Inc.", "Bolt Ltd"]


def test_nobody_is_a_party_to_nothing() -> None:
    assert not list(parties([]))
