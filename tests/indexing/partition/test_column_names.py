from indexing.partition.column_names import ColumnName, holds_names, is_named


def test_a_row_of_names_is_told_from_one_that_holds_some() -> None:
    row = [ColumnName("Term"), "", "aside"]

    assert holds_names(row)
    assert not is_named(row)
    assert is_named(row[:2])
    assert not is_named(["", "aside"])
