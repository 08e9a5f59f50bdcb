from indexing.partition.sheet_scan import SheetScan, without_values


def test_formulas_that_nobody_has_computed_are_counted_and_shown_empty() -> None:
    scan = SheetScan(places=12, uncomputed=1, shown={1: {0: "#N/A"}})

    changed = without_values(scan, [(1, 2), (3, 2)])

    assert changed == SheetScan(12, 3, shown={1: {0: "#N/A", 2: ""}, 3: {2: ""}})
    assert scan.shown == {1: {0: "#N/A"}}


def test_formulas_of_which_a_value_is_found_are_counted_no_more() -> None:
    scan = SheetScan(uncomputed=2, shown={1: {0: "#N/A", 2: ""}, 3: {2: ""}})

    changed = scan.with_values({(3, 2): "7"})

    assert scan.without_value() == [(1, 2), (3, 2)]
    assert changed == SheetScan(uncomputed=1, shown={1: {0: "#N/A", 2: ""}, 3: {2: "7"}})
