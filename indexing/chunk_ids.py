"""The ids of chunks: of their data source, and their place in it."""


def chunk_id(data_source_id: str, position: int) -> str:
    """Return the id of the chunk at this place of a data source."""
    return f"{data_source_id}_{position}"


def data_source_of(chunk: str) -> str:
    """Return the id of the data source that a chunk id is of."""
    return chunk.rpartition("_")[0]
