"""The services that take part in searching, as the routing file names them."""

import hashlib
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field

from config.variables import ADDRESS_PATTERN, KEY_PATTERN, MODEL_PATTERN, Environment, Place

MOST_DIMENSIONS = 2_000
"""Of a vector that pgvector's graph takes."""


class VariablesNotSet(Exception):
    """A service is named whose key, address or name is not in the environment."""


@dataclass(frozen=True, slots=True)
class EmbeddingService:
    """What turns texts into vectors in place of the built-in model."""

    model: str  # a LiteLLM model string
    api_key: str = field(repr=False)  # "" where none is needed
    api_base: str  # "" for the provider's own address
    timeout_seconds: float  # for one request
    dimensions: int
    asks_for_dimensions: bool  # whether they are sent, for models that can shorten their vectors
    batch_size: int  # texts in a request, at most
    batch_tokens: int  # estimated tokens in a request, at most; a longer text goes alone
    concurrency: int  # requests at once, in each process
    query_prefix: str
    passage_prefix: str
    query_input_type: str  # "" where none is sent
    passage_input_type: str

    @property
    def name(self) -> str:
        """What its vectors are known by: those of one name, and no others, are compared.

        The provider is no part of it: the same model may move to another server.
        """
        _, _, model = self.model.partition("/")
        prefix = f", after {self.passage_prefix!r}" if self.passage_prefix else ""
        return f"{model}, {self.dimensions} dimensions{prefix}"

    @property
    def column(self) -> str:
        """The column of an engine's table in which its vectors stand."""
        return f"embedding_{hashlib.sha256(self.name.encode()).hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class RerankService:
    """What reads a question and the best chunks together, and puts these in order."""

    model: str  # a LiteLLM model string
    api_key: str = field(repr=False)  # "" where none is needed
    api_base: str  # "" for the provider's own address
    timeout_seconds: float
    candidates: int  # how many chunks it is given


class _ServiceEntry(BaseModel):
    """What both have, as the file writes it."""

    model_config = ConfigDict(extra="forbid")

    model: str = Field(pattern=MODEL_PATTERN)
    api_key: str = Field("", pattern=KEY_PATTERN)
    api_base: str = Field("", pattern=ADDRESS_PATTERN)

    def place(self, environment: Environment) -> Place:
        """Return where it is asked.

        Raises:
            VariablesNotSet: the message names them.
        """
        written = Place(self.model, self.api_base, self.api_key)
        needed = [*written.needed(), *([self.api_key] if self.api_key else [])]
        if missing := [name for name in needed if not environment(name)]:
            raise VariablesNotSet(f"{self.model}: not set: {' and '.join(missing)}")
        return written.filled_in(environment)


class EmbeddingEntry(_ServiceEntry):
    """The section `embedding` of the file."""

    timeout_seconds: float = Field(30, gt=0, allow_inf_nan=False)
    dimensions: int = Field(gt=0, le=MOST_DIMENSIONS)
    ask_for_dimensions: bool = False
    batch_size: int = Field(32, gt=0)
    batch_tokens: int = Field(8_000, gt=0)
    concurrency: int = Field(4, gt=0, le=64)
    query_prefix: str = ""
    passage_prefix: str = ""
    query_input_type: str = ""
    passage_input_type: str = ""

    def service(self, environment: Environment) -> EmbeddingService:
        """Return the service with its key.

        Raises:
            VariablesNotSet: the message names them.
        """
        place = self.place(environment)
        return EmbeddingService(
            model=place.model,
            api_key=place.api_key,
            api_base=place.api_base,
            timeout_seconds=self.timeout_seconds,
            dimensions=self.dimensions,
            asks_for_dimensions=self.ask_for_dimensions,
            batch_size=self.batch_size,
            batch_tokens=self.batch_tokens,
            concurrency=self.concurrency,
            query_prefix=self.query_prefix,
            passage_prefix=self.passage_prefix,
            query_input_type=self.query_input_type,
            passage_input_type=self.passage_input_type,
        )


class RerankEntry(_ServiceEntry):
    """The section `rerank` of the file."""

    timeout_seconds: float = Field(2, gt=0, allow_inf_nan=False)
    candidates: int = Field(30, ge=2, le=100)

    def service(self, environment: Environment) -> RerankService:
        """Return the service with its key.

        Raises:
            VariablesNotSet: the message names them.
        """
        place = self.place(environment)
        return RerankService(
            model=place.model,
            api_key=place.api_key,
            api_base=place.api_base,
            timeout_seconds=self.timeout_seconds,
            candidates=self.candidates,
        )
