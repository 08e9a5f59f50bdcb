"""The routing configuration: which deployments stand behind each public model identifier."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

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

Environment = Callable[[str], str]
"""Returns the value of an environment variable, or "" where it is not set."""


class InvalidModelTable(Exception):
    """The routing configuration cannot be used; the message names the file, key and rule."""


class DeploymentEntry(BaseModel):
    """A deployment as the file writes it."""

    model_config = ConfigDict(extra="forbid")

    model: str = Field(pattern=r"^[^/]+/.+")
    api_key: str = Field("", pattern=r"^([A-Z][A-Z0-9_]*)?$")
    api_key_optional: bool = False
    api_base: str = ""
    timeout_seconds: float = Field(120, gt=0)


class ModelEntry(BaseModel):
    """A public identifier as the file writes it."""

    model_config = ConfigDict(extra="forbid")

    display_name: str = Field(min_length=1)
    deployments: list[DeploymentEntry] = Field(min_length=1)


class AutoEntry(BaseModel):
    """The preferences of `auto`, best first."""

    model_config = ConfigDict(extra="forbid")

    advanced_reasoning: list[str] = Field(min_length=1)
    standard: list[str] = Field(min_length=1)


class ModelFile(BaseModel):
    """The whole file; other top-level keys may hold YAML anchors."""

    models: dict[str, ModelEntry]
    auto: AutoEntry

    @model_validator(mode="after")
    def every_identifier_is_known(self) -> "ModelFile":
        if missing := [name for name in MODEL_IDENTIFIERS if name not in self.models]:
            raise ValueError(f"models: {', '.join(missing)} missing")
        for name in [*self.auto.advanced_reasoning, *self.auto.standard]:
            if name not in self.models:
                raise ValueError(f"auto: {name} is not one of the models")
        return self


@dataclass(frozen=True, slots=True)
class Deployment:
    """A real model with its credentials, ready to be called."""

    model: str  # a LiteLLM model string
    api_key: str  # "" where none is needed
    api_base: str  # "" for the provider's own address
    timeout_seconds: float


@dataclass(frozen=True, slots=True)
class Model:
    """A public identifier and the deployments that have their credentials."""

    identifier: str
    display_name: str
    deployments: tuple[Deployment, ...]

    @property
    def is_enabled(self) -> bool:
        return bool(self.deployments)


@dataclass(frozen=True, slots=True)
class ModelTable:
    """All public identifiers, and the order in which `auto` prefers them."""

    models: dict[str, Model]
    auto_advanced: tuple[str, ...]
    auto_standard: tuple[str, ...]


def load_model_table(path: Path, environment: Environment) -> ModelTable:
    """Read and check the routing configuration.

    Raises:
        InvalidModelTable: the file is missing, not YAML, or breaks a rule.
    """
    try:
        content: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
        file = ModelFile.model_validate(content)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InvalidModelTable(f"{path}: {error}") from error
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc']) or 'file'}: {problem['msg']}"
            for problem in error.errors()
        )
        raise InvalidModelTable(f"{path}: {problems}") from error
    models = {
        identifier: Model(
            identifier=identifier,
            display_name=entry.display_name,
            deployments=tuple(
                deployment
                for one in entry.deployments
                if (deployment := _with_credentials(one, environment)) is not None
            ),
        )
        for identifier, entry in file.models.items()
    }
    return ModelTable(models, tuple(file.auto.advanced_reasoning), tuple(file.auto.standard))


def _with_credentials(entry: DeploymentEntry, environment: Environment) -> Deployment | None:
    """Return the deployment with its values filled in, or None where one of them is not set."""
    api_key = environment(entry.api_key) if entry.api_key else ""
    is_address = entry.api_base.startswith(("http://", "https://"))
    api_base = entry.api_base if is_address or not entry.api_base else environment(entry.api_base)
    names = re.findall(r"\$\{(\w+)\}", entry.model)
    model = re.sub(r"\$\{(\w+)\}", lambda match: environment(match[1]), entry.model)
    key_is_missing = bool(entry.api_key) and not api_key and not entry.api_key_optional
    base_is_missing = bool(entry.api_base) and not api_base
    if key_is_missing or base_is_missing or not all(environment(name) for name in names):
        return None
    return Deployment(model, api_key, api_base, entry.timeout_seconds)
