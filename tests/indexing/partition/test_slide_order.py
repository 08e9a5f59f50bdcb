from indexing.partition.slide_order import in_reading_order


def test_what_is_moved_by_a_hair_stays_in_its_row() -> None:
    placed = [(5.0, 1.0, "right"), (1.0, 1.01, "left"), (1.0, 2.0, "below"), (9.0, 0.0, "above")]

    assert in_reading_order(placed, height=10.0) == ["above", "left", "right", "below"]
