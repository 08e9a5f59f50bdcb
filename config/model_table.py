"""The routing configuration: which deployments stand behind each public model identifier."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from config.search_services import (
    EmbeddingEntry,
    EmbeddingService,
    RerankEntry,
    RerankService,
    VariablesNotSet,
)
from config.variables import ADDRESS_PATTERN, KEY_PATTERN, MODEL_PATTERN, Environment, Place

# Ten times as fast in C, where PyYAML was built with it.
_SAFE_LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

AUTO = "auto"
BUILT_IN = "built-in"
"""What `resolved_model` says when the built-in extractive answerer answers."""

MODEL_IDENTIFIERS = (
    "alpha-4.5-sonnet",
    "beta-v3-70b",
    "beta-4-scout",
    "beta-4-maverick",
    "gamma-2.5",
    "delta-5.4",
    "alpha-4.6-haiku",
    "delta-4.1",
)
"""The identifiers of the specification, without `auto`."""

EXTRACTION_IDENTIFIERS = ("gamma-1.5-pro",)
"""The identifiers that extract fields; no question can name them."""

DEFAULT_CONTEXT_WINDOW = 32_768
"""Tokens a model takes where the file says nothing."""


class Strength(StrEnum):
    """What a model is good at, as far as `auto` asks for it."""

    DEEP_REASONING = "deep_reasoning"
    REASONING = "reasoning"
    LONG_CONTEXT = "long_context"
    VISION = "vision"
    FAST = "fast"
    GENERAL = "general"


class AutoRule(StrEnum):
    """What `auto` looks for in a question and its evidence; the first that holds decides."""

    ADVANCED_REASONING = "advanced_reasoning"
    COMPARISON = "comparison"
    SEVERAL_PARTS = "several_parts"
    COMPUTATION = "computation"
    LONG_EVIDENCE = "long_evidence"
    FIGURES = "figures"
    NARROW_MARGIN = "narrow_margin"
    SINGLE_FACT = "single_fact"
    STANDARD = "standard"


class OutputMode(StrEnum):
    """How a model can be made to answer in a given form, the tightest way first."""

    JSON_SCHEMA = "json_schema"  # the provider holds it to a schema
    TOOLS = "tools"  # it calls a function, whose arguments have the schema
    JSON = "json"  # it is asked for in the prompt


class InvalidModelTable(Exception):
    """The routing configuration cannot be used; the message names the file, key and rule."""


@dataclass(frozen=True, slots=True)
class Price:
    """What tokens cost, in USD per million."""

    input: float
    output: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        """Return what so many tokens cost, in USD."""
        return (self.input * input_tokens + self.output * output_tokens) / 1_000_000


@dataclass(frozen=True, slots=True)
class Deployment:
    """A real model with its credentials, ready to be called."""

    model: str  # a LiteLLM model string
    api_key: str = field(repr=False)  # "" where none is needed
    api_base: str  # "" for the provider's own address
    timeout_seconds: float
    weight: int | None = None  # its share among neighbours that have one; None: strictly in order
    context_window: int = DEFAULT_CONTEXT_WINDOW  # tokens of question and answer together
    price: Price | None = None  # None where nobody has said it


@dataclass(frozen=True, slots=True)
class UnusableDeployment:
    """A deployment that lacks something."""

    model: str  # as the file writes it
    missing: tuple[str, ...]  # the environment variables that would have to be set


@dataclass(frozen=True, slots=True)
class Model:
    """A public identifier and what stands behind it.

    Window and price are those of the first deployment that can be used: it usually answers.
    """

    identifier: str
    display_name: str
    deployments: tuple[Deployment, ...]  # those that have their credentials, in order
    unusable: tuple[UnusableDeployment, ...] = ()
    context_window: int = DEFAULT_CONTEXT_WINDOW  # tokens of question and answer together
    price: Price | None = None
    strengths: frozenset[Strength] = frozenset()

    @property
    def is_enabled(self) -> bool:
        return bool(self.deployments)

    @property
    def why_not_enabled(self) -> str:
        """Name the variables that would enable the model; "" where it is enabled."""
        if self.is_enabled:
            return ""
        ways = dict.fromkeys(" and ".join(one.missing) for one in self.unusable)
        return f"not set: {', or '.join(ways)}"


@dataclass(frozen=True, slots=True)
class ModelTable:
    """All public identifiers, what `auto` prefers, and what accounts may use.

    A preference is an identifier or a strength, the best first. An account that is not named may
    use every model.
    """

    models: Mapping[str, Model]
    auto: Mapping[AutoRule, tuple[str, ...]]
    accounts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    extraction_models: Mapping[str, Model] = field(default_factory=dict)  # which extract fields
    embedding: EmbeddingService | None = None  # None: the built-in model embeds
    rerank: RerankService | None = None  # None: chunks stay in the order of their scores

    @property
    def all_models(self) -> dict[str, Model]:
        """Return the models that answer questions, then those that extract fields."""
        return {**self.models, **self.extraction_models}

    def preferences(self, rule: AutoRule) -> tuple[str, ...]:
        """Return what `auto` prefers under a rule; one the file leaves out is as `standard`."""
        return self.auto.get(rule, self.auto[AutoRule.STANDARD])

    def withheld_from(self, account: str) -> frozenset[str]:
        """Return the identifiers that the account of this name may not use."""
        known = frozenset(self.all_models)
        return known - self.accounts.get(account, known)


class PriceEntry(BaseModel):
    """A price as the file writes it."""

    model_config = ConfigDict(extra="forbid")

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)


class DeploymentEntry(BaseModel):
    """A deployment as the file writes it; window and price are the identifier's unless given."""

    model_config = ConfigDict(extra="forbid")

    model: str = Field(pattern=MODEL_PATTERN)
    api_key: str = Field("", pattern=KEY_PATTERN)
    api_key_optional: bool = False
    api_base: str = Field("", pattern=ADDRESS_PATTERN)
    timeout_seconds: float = Field(120, gt=0, allow_inf_nan=False)
    weight: int | None = Field(None, gt=0)
    context_window: int | None = Field(None, gt=0)
    price: PriceEntry | None = None


class ModelEntry(BaseModel):
    """A public identifier as the file writes it."""

    model_config = ConfigDict(extra="forbid")

    display_name: str = Field(min_length=1)
    context_window: int = Field(DEFAULT_CONTEXT_WINDOW, gt=0)
    price: PriceEntry | None = None
    strengths: list[Strength] = Field(default_factory=list)
    deployments: list[DeploymentEntry] = Field(min_length=1)


class ModelFile(BaseModel):
    """The whole file; other keys hold deployments, repeated by YAML anchors."""

    model_config = ConfigDict(extra="allow")

    models: dict[str, ModelEntry]
    auto: dict[AutoRule, Annotated[list[str], Field(min_length=1)]]
    accounts: dict[str, list[str]] = Field(default_factory=dict)
    extraction_models: dict[str, ModelEntry] = Field(default_factory=dict)
    embedding: EmbeddingEntry | None = None
    rerank: RerankEntry | None = None

    @model_validator(mode="after")
    def every_name_is_known(self) -> "ModelFile":
        """Check what one part of the file says of another."""
        problems = [
            *self._problems_of_models(),
            *self._problems_of_auto(),
            *self._problems_of_accounts(),
            *self._problems_of_other_keys(),
        ]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _problems_of_models(self) -> Iterator[str]:
        for name in MODEL_IDENTIFIERS:
            if name not in self.models:
                yield f"models: {name} missing"
        for name in (AUTO, BUILT_IN, *Strength):
            if name in self.models:
                yield f"models.{name}: this name has another meaning"
        for name in self.models.keys() & EXTRACTION_IDENTIFIERS:
            yield f"models.{name}: it extracts fields, so it stands in extraction_models"
        for name in self.extraction_models.keys() - set(EXTRACTION_IDENTIFIERS):
            yield f"extraction_models.{name}: not one of {', '.join(EXTRACTION_IDENTIFIERS)}"

    def _problems_of_auto(self) -> Iterator[str]:
        if AutoRule.STANDARD not in self.auto:
            yield "auto.standard: missing"
        for rule, preferences in self.auto.items():
            for name in preferences:
                if name not in (*self.models, *Strength):
                    yield f"auto.{rule}: {name} is neither one of the models nor a strength"

    def _problems_of_accounts(self) -> Iterator[str]:
        for account, names in self.accounts.items():
            for name in names:
                if name not in (*self.models, *EXTRACTION_IDENTIFIERS):
                    yield f"accounts.{account}: {name} is not one of the models"

    def _problems_of_other_keys(self) -> Iterator[str]:
        for key, value in (self.model_extra or {}).items():
            for one in value if isinstance(value, list) else [value]:
                if not isinstance(one, dict) or "model" not in one:
                    yield f"{key}: neither a key of this file nor a deployment to be repeated"


def load_model_table(path: Path, environment: Environment) -> ModelTable:
    """Read and check the routing configuration.

    Raises:
        InvalidModelTable: the file is missing, not YAML, or breaks a rule.
    """
    try:
        file = ModelFile.model_validate(yaml.load(path.read_text(encoding="utf-8"), _SAFE_LOADER))
    except ValidationError as error:
        problems = "; ".join(_in_words(problem) for problem in error.errors())
        raise InvalidModelTable(f"{path}: {problems}") from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidModelTable(f"{path}: {_without_content(error)}") from error
    try:
        embedding = file.embedding.service(environment) if file.embedding else None
        rerank = file.rerank.service(environment) if file.rerank else None
    except VariablesNotSet as error:
        raise InvalidModelTable(f"{path}: {error}") from error
    return ModelTable(
        models=_models(file.models, environment),
        auto={rule: tuple(names) for rule, names in file.auto.items()},
        accounts={account: frozenset(names) for account, names in file.accounts.items()},
        extraction_models=_models(file.extraction_models, environment),
        embedding=embedding,
        rerank=rerank,
    )


def _in_words(problem: Any) -> str:
    """Name the key and the rule, and never the value: it might be a key in the wrong place."""
    place = ".".join(str(part) for part in problem["loc"] if part != "[key]")
    message = str(problem["msg"]).removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


def _without_content(error: Exception) -> str:
    """Say where a file is not YAML, without the line itself: a key may stand in it."""
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        mark = error.problem_mark
        return f"line {mark.line + 1}, column {mark.column + 1}: {error.problem}"
    return str(error)


def _models(entries: Mapping[str, ModelEntry], environment: Environment) -> dict[str, Model]:
    return {
        identifier: _model(identifier, entry, environment) for identifier, entry in entries.items()
    }


def _model(identifier: str, entry: ModelEntry, environment: Environment) -> Model:
    found = [_with_credentials(one, entry, environment) for one in entry.deployments]
    usable = tuple(one for one in found if isinstance(one, Deployment))
    return Model(
        identifier=identifier,
        display_name=entry.display_name,
        deployments=usable,
        unusable=tuple(one for one in found if isinstance(one, UnusableDeployment)),
        context_window=usable[0].context_window if usable else entry.context_window,
        price=usable[0].price if usable else _price(entry.price),
        strengths=frozenset(entry.strengths),
    )


def _with_credentials(
    entry: DeploymentEntry, model: ModelEntry, environment: Environment
) -> Deployment | UnusableDeployment:
    """Return the deployment with its values filled in, or what it lacks for that."""
    written = Place(entry.model, entry.api_base, entry.api_key)
    needed = list(written.needed())
    if entry.api_key and not entry.api_key_optional:
        needed.append(entry.api_key)
    if missing := tuple(name for name in needed if not environment(name)):
        return UnusableDeployment(entry.model, missing)
    place = written.filled_in(environment)
    return Deployment(
        model=place.model,
        api_key=place.api_key,
        api_base=place.api_base,
        timeout_seconds=entry.timeout_seconds,
        weight=entry.weight,
        context_window=entry.context_window or model.context_window,
        price=_price(entry.price or model.price),
    )


def _price(entry: PriceEntry | None) -> Price | None:
    return Price(entry.input, entry.output) if entry else None
