import pytest

from agents.cited_lines import LONGEST_PASSAGE, cited_lines

LEASE = """\
The lease of the warehouse in Tilburg begins on 1 March 2021.
It ends on 28 February 2026, unless it is prolonged
in writing six months before.
The rent is 4,200 EUR a month.
Parking is free of charge."""


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        pytest.param(
            "4,200 EUR is the rent per month.", "The rent is 4,200 EUR a month.", id="a line"
        ),
        pytest.param(
            "Parking is free. <source_id=12>", "Parking is free of charge.", id="without its key"
        ),
        pytest.param(
            "It ends on 28 February 2026 unless prolonged in writing six months before.",
            "It ends on 28 February 2026, unless it is prolonged\nin writing six months before.",
            id="a sentence over two lines",
        ),
    ],
)
def test_lines_that_say_it_are_cited(sentence: str, expected: str) -> None:
    assert cited_lines([sentence], LEASE, "lease.pdf") == [expected]


def test_each_sentence_has_its_lines_in_the_order_of_the_passage() -> None:
    sentences = ["Parking is free of charge.", "The lease of the warehouse begins on 1 March 2021."]

    found = cited_lines(sentences, LEASE, "lease.pdf")

    assert found == [LEASE.split("\n")[0], LEASE.split("\n")[-1]]


def test_row_of_a_table_is_cited_by_itself() -> None:
    table = "Year | Revenue | Profit\n2022 | 41,000 | 3,200\n2023 | 44,500 | 4,100"

    assert cited_lines(["In 2023 the profit was 4,100."], table, "report.pdf") in (
        ["Year | Revenue | Profit\n2022 | 41,000 | 3,200\n2023 | 44,500 | 4,100"],
        ["2023 | 44,500 | 4,100"],
    )


@pytest.mark.parametrize(
    "sentences",
    [
        pytest.param([], id="no sentence"),
        pytest.param(["The rent is 5,000 EUR a month."], id="another number"),
        pytest.param(["Parking is free of charge.", "Cats sleep all day."], id="one not there"),
    ],
)
def test_whole_passage_is_cited_where_its_lines_do_not_say_it(sentences: list[str]) -> None:
    assert cited_lines(sentences, LEASE, "lease.pdf") == [LEASE]


def test_very_long_passage_is_cited_whole() -> None:
    passage = "\n".join([*["Nothing of interest."] * LONGEST_PASSAGE, "The rent is 4,200 EUR."])

    assert cited_lines(["The rent is 4,200 EUR."], passage, "lease.pdf") == [passage]
