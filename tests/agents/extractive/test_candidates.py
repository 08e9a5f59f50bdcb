from agents.extractive.candidates import find_candidates, most_promising
from agents.extractive.question import read_question

LEASE = "4. Rent\nThe rent is EUR 900. It is due monthly."
GATE = "The gate is closed. It is due monthly."


def test_candidate_knows_what_stands_around_it() -> None:
    (rent, due, gate) = find_candidates([LEASE, "The gate is closed."], "english")

    assert due.before == rent.unit.text
    assert due.in_context == "4. Rent It is due monthly."
    assert "rent" in due.near_terms - due.own_terms
    assert (due.passage, gate.passage) == (0, 1)


def test_what_is_said_twice_is_one_candidate() -> None:
    texts = [candidate.unit.text for candidate in find_candidates([LEASE, GATE], "english")]

    assert texts == ["The rent is EUR 900.", "It is due monthly.", "The gate is closed."]


def test_term_is_absent_as_far_as_it_is_away() -> None:
    rent, *_ = find_candidates([LEASE, GATE], "english")

    assert [rent.absence(term) for term in ("rent", "gate", "moon")] == [0, 0.5, 1]


def test_most_promising_stay_in_their_order() -> None:
    candidates = find_candidates([GATE, LEASE], "english")
    asked = read_question("gate rent", [one.own_terms for one in candidates], "english")

    kept = most_promising(asked, candidates, 2)

    assert [one.unit.text for one in kept] == ["The gate is closed.", "The rent is EUR 900."]
