from indexing.chunk_ids import chunk_id, data_source_of


def test_chunk_is_named_after_its_place() -> None:
    assert chunk_id("ds_1", 12) == "ds_1_12"


def test_data_source_of_a_chunk_is_in_its_name() -> None:
    assert data_source_of(chunk_id("ds_1", 12)) == "ds_1"
