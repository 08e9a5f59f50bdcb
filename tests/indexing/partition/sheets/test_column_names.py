from indexing.partition.sheets.column_names import (
    BoldText,
    ColumnName,
    holds_names,
    is_bold,
    is_named,
)


def test_a_row_of_names_is_told_from_one_that_holds_some() -> None:
    row = [ColumnName("Term"), "", "aside"]

    assert holds_names(row)
    assert not is_named(row)
    assert is_named(row[:2])
    assert not is_named(["", "aside"])


def test_a_row_in_bold_print_is_told_from_one_with_some_of_it() -> None:
    assert is_bold([BoldText("Term"), "", BoldText("Meaning")])
    assert not is_bold([BoldText("Term"), "Meaning"])
    assert not is_bold(["", ""])
