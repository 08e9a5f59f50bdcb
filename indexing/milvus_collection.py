"""The Milvus collection of an engine: LlamaIndex's MilvusVectorStore, which makes nothing unasked.

Its own constructor makes the collection where there is none. So a search that comes late would
bring back, empty, what was dropped with its engine.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
)
from llama_index.vector_stores.milvus import MilvusVectorStore
from llama_index.vector_stores.milvus.base import MILVUS_ID_FIELD
from pymilvus import DataType, MilvusClient  # type: ignore[import-untyped]

from indexing.embedding import Vectors

SEARCH_SECONDS = 3.0
SECONDS = 10.0
"""How long Milvus may take for a search, and for anything else."""

BATCH = 500
"""Vectors that are sent at once: a megabyte or so."""

# Pymilvus pings an idle connection every 10 s, and milvus-lite cuts off who does so. And a server
# that comes back after an hour is tried after two seconds, not two minutes.
_CONNECTION = {
    "grpc.keepalive_permit_without_calls": 0,
    "grpc.keepalive_time_ms": 60_000,
    "grpc.max_reconnect_backoff_ms": 2_000,
}

_ID_LENGTH = 200


class EngineCollection(MilvusVectorStore):  # type: ignore[misc]  # LlamaIndex is Any to mypy
    """The vectors of an engine by the ids of their chunks; no text is kept with them."""

    def __init__(self, client: "BoundedClient", engine_id: str, dimensions: int) -> None:
        """Describe the collection of an engine; nothing is sent to Milvus."""
        BasePydanticVectorStore.__init__(
            self,
            collection_name=engine_id,
            dim=dimensions,
            similarity_metric="COSINE",
            # What was written is found: searches follow acknowledged uploads and deletions.
            consistency_level="Strong",
            upsert_mode=True,
            batch_size=BATCH,
            output_fields=[self.model_fields["doc_id_field"].default],
            index_config={},
            search_config={},
            sparse_index_config=None,
            collection_properties=None,
            sparse_embedding_function=None,
            hybrid_ranker="",
            scalar_field_names=None,
            scalar_field_types=None,
        )
        self._milvusclient = client

    def create(self) -> None:
        """Make the collection, unless another process has made it just now."""
        schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=True)
        text = {"datatype": DataType.VARCHAR, "max_length": _ID_LENGTH}
        schema.add_field(MILVUS_ID_FIELD, is_primary=True, **text)
        schema.add_field(self.doc_id_field, **text)
        schema.add_field(self.text_key, **text)
        schema.add_field(self.embedding_field, DataType.FLOAT_VECTOR, dim=self.dim)
        indexes = MilvusClient.prepare_index_params()
        # Every vector is compared: a graph under a filter returns a few of many, silently.
        indexes.add_index(self.embedding_field, "FLAT", metric_type=self.similarity_metric)
        indexes.add_index(self.doc_id_field, "INVERTED")
        if not self.client.has_collection(self.collection_name):
            self.client.create_collection(
                self.collection_name,
                schema=schema,
                index_params=indexes,
                consistency_level=self.consistency_level,
            )

    def put(self, vectors: Iterable[tuple[str, str, Vectors]]) -> None:
        """Store vectors with the ids of their chunks and data sources, or replace them."""
        self.add([_to_node(*one) for one in vectors])

    def nearest(
        self, vector: Vectors, limit: int, *, doc_ids: Sequence[str], node_ids: Sequence[str]
    ) -> dict[str, float]:
        """Return the nearest chunks, of these data sources and ids if any, with their cosines."""
        query = VectorStoreQuery(
            query_embedding=vector.tolist(),
            similarity_top_k=limit,
            doc_ids=list(doc_ids),
            node_ids=list(node_ids),
        )
        found = self.query(query)
        return dict(zip(found.ids, found.similarities, strict=True))

    def fetch(self, chunk_ids: Sequence[str]) -> dict[str, list[float]]:
        """Return the vectors of chunks, as far as there are any."""
        return {node.node_id: node.embedding for node in self.get_nodes(list(chunk_ids))}

    def delete_of(self, data_source_id: str) -> None:
        """Delete the vectors of a data source."""
        self.delete_nodes(filters=MetadataFilters(filters=[self._of(data_source_id)]))

    def count(self, data_source_id: str) -> int:
        """Return how many vectors there are, of a data source, or with "" of all."""
        condition = f'{self.doc_id_field} == "{data_source_id}"' if data_source_id else ""
        (row,) = self.client.query(
            self.collection_name, filter=condition, output_fields=["count(*)"]
        )
        return int(row["count(*)"])

    def _of(self, data_source_id: str) -> MetadataFilter:
        return MetadataFilter(
            key=self.doc_id_field, value=data_source_id, operator=FilterOperator.EQ
        )


class BoundedClient:
    """A MilvusClient each call of which ends in time: LlamaIndex passes no limits on."""

    def __init__(self, uri: str, token: str) -> None:
        """Connect (blocking).

        Raises:
            MilvusException, grpc.RpcError: nobody answers there, or the token is refused.
        """
        self._client = MilvusClient(
            uri, token=token, timeout=SEARCH_SECONDS, grpc_options=_CONNECTION
        )

    def __getattr__(self, name: str) -> Any:
        seconds = SEARCH_SECONDS if name == "search" else SECONDS
        return partial(getattr(self._client, name), timeout=seconds)


def _to_node(chunk_id: str, data_source_id: str, vector: Vectors) -> TextNode:
    source = RelatedNodeInfo(node_id=data_source_id)
    return TextNode(
        id_=chunk_id,
        text="",
        embedding=vector.tolist(),
        relationships={NodeRelationship.SOURCE: source},
    )
