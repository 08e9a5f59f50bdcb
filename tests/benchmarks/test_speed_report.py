from benchmarks.speed_report import (
    Beside,
    Load,
    Recall,
    beside_table,
    load_table,
    recall_table,
    summary,
)

CASES = [(size, name) for size in (1000, 10_000, 100_000) for name in ("none", "1.0%")]


def test_summary_compares_the_middle_size_with_its_bare_parts() -> None:
    alone = {case: beside(milliseconds=case[0] / 1000) for case in CASES}

    text = summary(alone, {case: Recall(1.0, {}, 0) for case in CASES}, loads(errors=0))

    assert "10,000 chunks | ≤ 1.25 | 2.50 |" in text  # 10 ms, of which 3 and 1 are the bare parts
    assert "by the model as trained |  | 2.00 |" in text  # 4 in place of the 3
    assert "p50 at 100,000 chunks by p50 at 1,000 | ≤ 2.0 | 100.00 |" in text


def test_summary_tells_the_worst_recall_and_every_shortfall_and_error() -> None:
    alone = {case: beside(milliseconds=5) for case in CASES}
    recalls = {case: Recall(1.0, {}, 1) for case in CASES} | {CASES[3]: Recall(0.4, {}, 2)}

    text = summary(alone, recalls, loads(errors=3))

    assert "≥ 0.99 | 0.400 |" in text
    assert "fewer chunks than there are | 0 | 7 |" in text
    assert "errors with 32 clients | 0 | 18 |" in text


def test_tables_have_a_column_for_each_peer() -> None:
    one = beside(milliseconds=5)
    one.peers["another"] = [7.0]

    assert "| 10.0 |" in beside_table({(1000, "none"): one})  # its 7 and the embedding's 3
    assert "0.2500" in recall_table({(1000, "none"): Recall(1.0, {"another": 0.25}, 0)})


def test_load_table_tells_how_many_are_answered_in_a_second() -> None:
    assert "| 2 | 0 |" in load_table({(1000, "none"): Load([1.0] * 20, 0, seconds=10)})


def beside(milliseconds: float) -> Beside:
    return Beside(service=[milliseconds], embedding=[3.0], as_trained=[4.0], search=[1.0])


def loads(errors: int) -> dict[tuple[int, str], Load]:
    return {case: Load([10.0, 20.0], errors, seconds=1) for case in CASES}
