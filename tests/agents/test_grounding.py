from dataclasses import replace

import pytest

from agents.grounding import Evidence, Verdict
from indexing.types import Chunk
from tests.agents.leases import LEASES

GERMAN = Chunk(
    "ds_4_0", "ds_4", "mietvertrag.pdf", 1,
    "Die Miete beträgt 1.250,50 Euro im Monat und ist am Monatsende fällig. Der Vertrag endet am"
    " 31. März 2024, wenn er nicht von den Parteien verlängert wird.",
)  # fmt: skip
JAPANESE = Chunk(
    "ds_5_0", "ds_5", "契約.pdf", 1, "契約は2024年3月31日に終了する。家賃は月額12万円である。"
)
NATIONS = Chunk(
    "ds_6_0", "ds_6", "report.pdf", 1,
    "The World Health Organization told the United Kingdom and America to act.",
)  # fmt: skip
EVIDENCE = Evidence([*LEASES, GERMAN, JAPANESE, NATIONS])


@pytest.mark.parametrize(
    ("statement", "passage", "verdict", "reason"),
    [
        pytest.param(
            "The lease ends on 2024-03-31.", 1, Verdict.SUPPORTED, "", id="date otherwise written"
        ),
        pytest.param(
            "Harbour Light pays 1250.5 EUR rent monthly.", 1, Verdict.SUPPORTED, "", id="reordered"
        ),
        pytest.param(
            "Harbour Light's lease ends on 30 March 2024.",
            1,
            Verdict.UNSUPPORTED,
            "not in the passage: the number 30 March 2024",
            id="date changed",
        ),
        pytest.param(
            "The rent is 1,205.50 EUR.",
            1,
            Verdict.UNSUPPORTED,
            "not in the passage: the number 1,205.50",
            id="digits swapped",
        ),
        pytest.param(
            "The monthly rent of Ocean Light Ltd is 1,250.50 EUR.",
            1,
            Verdict.UNSUPPORTED,
            "not in the passage: the name Ocean",
            id="name swapped",
        ),
        pytest.param(
            "Sea Bakery pays the landlord a deposit.",
            3,
            Verdict.UNSUPPORTED,
            "not in the passage: the name Sea",
            id="first name swapped",
        ),
        pytest.param(
            "The lease ends on 31 March 2024, roses bloom.",
            1,
            Verdict.PARTIAL,
            "not in the passage: the words roses, bloom",
            id="words that are nowhere",
        ),
        pytest.param(
            "Termination requires written notice.",
            3,
            Verdict.UNSUPPORTED,
            "the passage is about something else",
            id="another passage",
        ),
        pytest.param("Yes.", 1, Verdict.PARTIAL, "it has nothing that can be compared", id="yes"),
        pytest.param("Im Monat beträgt die Miete 1250,50 Euro.", 4, Verdict.SUPPORTED, "",
                     id="German"),
        pytest.param("Die Miete beträgt 1.260,50 Euro.", 4, Verdict.UNSUPPORTED,
                     "not in the passage: the number 1.260,50", id="German number"),
        pytest.param(
            "The contract is over on 31 March 2024 and it is for the whole of the term.",
            4,
            Verdict.PARTIAL,
            "it is in another language than the passage; only numbers were compared",
            id="another language",
        ),
        pytest.param("契約は2024年3月31日に終了する。", 5, Verdict.SUPPORTED, "", id="Japanese"),
        pytest.param("契約は2025年3月31日に終了する。", 5, Verdict.UNSUPPORTED,
                     "not in the passage: the number 2025年3月31日", id="Japanese date"),
        pytest.param("The WHO told the United Kingdom to act.", 6, Verdict.SUPPORTED, "",
                     id="initials"),
        pytest.param("To act, they told the American.", 6, Verdict.SUPPORTED, "", id="ending"),
        pytest.param("The rent in lease.pdf of Harbour Light is monthly.", 1, Verdict.SUPPORTED, "",
                     id="file name"),
    ],
)  # fmt: skip
def test_statement_is_compared_with_its_passage(
    statement: str, passage: int, verdict: Verdict, reason: str
) -> None:
    support = EVIDENCE.support(statement, [passage])

    assert (support.verdict, support.reason) == (verdict, reason)


def test_name_that_the_document_is_about_may_be_left_out() -> None:
    about = [replace(LEASES[0], chunk_id=f"ds_1_{n}", content=f"Acme is {n}.") for n in range(3)]
    rent = replace(LEASES[0], chunk_id="ds_1_9", content="The monthly rent is 900 EUR.")

    of_the_document = Evidence([*about, rent]).support("The rent of Acme is 900 EUR.", [4])
    of_another = Evidence([LEASES[1], rent]).support("The rent of Acme is 900 EUR.", [2])

    assert of_the_document.verdict is Verdict.PARTIAL
    assert of_another.verdict is Verdict.UNSUPPORTED


@pytest.mark.parametrize(
    ("statement", "cited", "passages"),
    [
        pytest.param("The lease ends on 31 March 2024.", [1], [1], id="right"),
        pytest.param("The lease ends on 31 March 2024.", [3], [1], id="wrong"),
        pytest.param("The lease ends on 31 March 2024.", [0, 99], [1], id="invented"),
        pytest.param("The lease ends on 31 March 2024.", [], [1], id="none"),
        pytest.param("The lease ends on 30 March 2024.", [1, 3], [], id="nowhere"),
        pytest.param("The rent is 1,250.50 EUR, the deposit 3,750 EUR.", [3, 1], [3, 1], id="both"),
        pytest.param("The rent is 1,250.50 EUR, the deposit 3,750 EUR.", [1], [], id="half"),
        pytest.param("Yes.", [2, 2, 99], [2], id="nothing to compare"),
    ],
)
def test_cited_are_the_passages_that_have_it(
    statement: str, cited: list[int], passages: list[int]
) -> None:
    assert EVIDENCE.passages_for(statement, cited) == passages


def test_without_passages_nothing_is_supported() -> None:
    evidence = Evidence([])

    assert evidence.passages_for("The lease ends.", [1]) == []
    assert evidence.best_passage("The lease ends.")[1].verdict is Verdict.UNSUPPORTED
