"""Where vectors live, when that is not PostgreSQL."""

from collections.abc import Iterator

from app.doctor.findings import Finding, ok, problem
from app.milvus import open_milvus
from config.settings import InvalidSettings, Settings, VectorStoreName
from indexing.milvus import MilvusAway

_NO_ENGINE = "kng_0000000000000"


def check_milvus(settings: Settings) -> Iterator[Finding]:
    """Ask Milvus for something, if one is set."""
    if not settings.milvus_uri and settings.vector_store is VectorStoreName.POSTGRES:
        return
    try:
        open_milvus(settings, dimensions=1).count(_NO_ENGINE)
    except InvalidSettings as error:
        yield problem("vectors", str(error), "docs/how-to/milvus.md shows what to set.")
    except MilvusAway:
        advice = "See that it runs, and KE_MILVUS_URI and KE_MILVUS_TOKEN; the log has more."
        yield problem("vectors", f"{settings.milvus_uri} does not answer, or refuses", advice)
    else:
        yield ok("vectors", f"Milvus answers at {settings.milvus_uri}")
