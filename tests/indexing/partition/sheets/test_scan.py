from indexing.partition.sheets.number_formats import NumberFormat
from indexing.partition.sheets.scan import SheetScan, without_values


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


def test_formats_that_were_saved_stand_for_those_of_a_copy() -> None:
    percentage, weight = NumberFormat(after="%", scale=100), NumberFormat(after=" kg")
    copy = SheetScan(formats={1: {0: weight, 1: weight}})

    changed = copy.with_formats(SheetScan(formats={1: {0: percentage}, 2: {0: percentage}}))

    assert changed.formats == {1: {0: percentage, 1: weight}, 2: {0: percentage}}
    assert copy.formats == {1: {0: weight, 1: weight}}
