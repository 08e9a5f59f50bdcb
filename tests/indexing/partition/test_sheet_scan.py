from indexing.partition.sheet_scan import SheetScan, without_values


def test_formulas_that_nobody_has_computed_are_counted_and_shown_empty() -> None:
    scan = SheetScan(places=12, uncomputed=1, shown={1: {0: "#N/A"}})

    changed = without_values(scan, [(1, 2), (3, 2)])

    assert changed == SheetScan(12, 3, shown={1: {0: "#N/A", 2: ""}, 3: {2: ""}})
    assert scan.shown == {1: {0: "#N/A"}}
