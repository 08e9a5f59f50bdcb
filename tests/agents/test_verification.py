from agents.grounding import Evidence, Verdict
from agents.verification import CheckedSentence, Mark, check_line
from tests.agents.leases import LEASES

EVIDENCE = Evidence(LEASES)


def test_keys_are_written_back_into_their_sentences() -> None:
    line = "The lease ends on 31 March 2024 . Ocean Bakery pays 3,750 EUR."
    marks = [Mark(32, "<source_id=2>", (1,)), Mark(len(line), " <source_id=1>", (3,))]

    checked = list(check_line(line, marks, EVIDENCE, {3: 1, 1: 2}))

    first = "The lease ends on 31 March 2024 <source_id=2>."
    second = "Ocean Bakery pays 3,750 EUR. <source_id=1>"
    assert checked == [
        CheckedSentence(first, Verdict.SUPPORTED, "", (2,)),
        CheckedSentence(second, Verdict.SUPPORTED, "", (1,)),
    ]


def test_sentence_without_a_key_is_told_where_it_is() -> None:
    (known,) = check_line("The lease ends on 31 March 2024.", [], EVIDENCE, {})
    (unknown,) = check_line("Rent is 99 EUR.", [], EVIDENCE, {})

    assert (known.verdict, known.reason) == (
        Verdict.UNCITED,
        "no key, but it is in harbour_light_lease.pdf, page 2",
    )
    assert unknown.verdict is Verdict.UNCITED


def test_sentence_whose_keys_were_left_out_says_why() -> None:
    line = "The monthly rent is 99 EUR."

    (checked,) = check_line(line, [Mark(26, "", ())], EVIDENCE, {})

    assert checked.verdict is Verdict.UNSUPPORTED
    assert checked.reason == "not in the passage: the number 99"


def test_headings_and_lines_without_words_are_no_statements() -> None:
    assert [
        *check_line("## The rent", [], EVIDENCE, {}),
        *check_line("***", [], EVIDENCE, {}),
    ] == []
