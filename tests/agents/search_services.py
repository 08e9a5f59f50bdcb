"""The services of the tests, at the address of a server on loopback."""

from config.search_services import EmbeddingEntry, EmbeddingService, RerankEntry, RerankService
from tests.fakes import HashEmbedder

KEY = "sk-secret"


def embedding_service(
    address: str, model: str = "openai/bge", **options: object
) -> EmbeddingService:
    """Return what a section `embedding` with these options makes."""
    written = {"model": model, "api_base": f"{address}/v1", "api_key": "SEARCH_KEY"}
    widths = {"dimensions": HashEmbedder.dimensions}
    entry = EmbeddingEntry.model_validate({**written, **widths, **options})
    return entry.service(lambda _: KEY)


def rerank_service(address: str, model: str = "jina_ai/small", **options: object) -> RerankService:
    """Return what a section `rerank` with these options makes."""
    written = {"model": model, "api_base": address, "api_key": "SEARCH_KEY"}
    return RerankEntry.model_validate({**written, **options}).service(lambda _: KEY)
