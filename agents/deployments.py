"""LiteLLM's Router over the deployments of the routing file: order, weights, retries, cooldowns.

This imports LiteLLM, which takes seconds, so it is itself imported late.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import litellm
import openai

from agents.retry_after import retry_after
from config.model_table import Deployment, Model, ModelTable

RETRY_SECONDS = 0.2
"""How long after a trouble of a moment the same deployment is asked once more."""

LONGEST_WAIT_SECONDS = 3.0
"""What a provider may ask for before that; for longer a person should not wait."""

COOLDOWN_SECONDS = 30.0
"""For how long others are preferred to a deployment that has failed."""

LONGEST_COOLDOWN_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Level:
    """Deployments that share the questions by weight; most levels have one only."""

    name: str  # what the Router knows it by
    deployment_ids: tuple[str, ...]


class Deployments:
    """Which deployments of a model to ask, one after the other, and which have failed lately.

    Every level is a group of the Router. It chooses within a level by weight, passes over what is
    cooling down, and retries; from level to level the caller goes, because what is no answer to us
    (nothing, a web page, half a stream) is one to LiteLLM.
    """

    def __init__(self, table: ModelTable) -> None:
        self._levels: dict[str, list[Level]] = {}
        self._by_id: dict[str, Deployment] = {}
        entries: list[dict[str, Any]] = []
        for model in table.all_models.values():
            self._by_id.update(_with_ids(model))
            self._levels[model.identifier] = list(_levels(model))
            for level in self._levels[model.identifier]:
                entries += [self._entry(level.name, one) for one in level.deployment_ids]
        # When all is cooling down the Router refuses with an error that says nothing of the cause;
        # so what is cooling down is decided here, and then asked by its own id.
        self.router = _Router(model_list=entries, num_retries=1, disable_cooldowns=True)

    def __getitem__(self, deployment_id: str) -> Deployment:
        return self._by_id[deployment_id]

    def of(self, model: str) -> list[Deployment]:
        """Return the deployments of a model, in order."""
        return [
            self._by_id[one]
            for level in self._levels.get(model, [])
            for one in level.deployment_ids
        ]

    def targets(self, model: str) -> Iterator[str]:
        """Yield what to ask the Router for, until one answers; failures between count at once.

        What was cooling down at the start comes last, and is not retried: there is nothing else.
        """
        levels = self._levels.get(model, [])  # none where another table has just come into force
        resting = self._resting()
        for level in levels:
            for _ in level.deployment_ids:
                if not self._resting().issuperset(level.deployment_ids):
                    yield level.name
        for level in levels:
            yield from (one for one in level.deployment_ids if one in resting)

    def only_one_of(self, target: str) -> str:
        """Return the id of the deployment that a target stands for; "" if it may be several."""
        if target in self._by_id:
            return target
        levels = {level.name: level for one in self._levels.values() for level in one}
        deployment_ids = levels[target].deployment_ids
        return deployment_ids[0] if len(deployment_ids) == 1 else ""

    def rest(self, deployment_id: str, error: Exception) -> None:
        """Prefer others to a deployment that has failed, for as long as its provider asks for."""
        seconds = min(retry_after(error) or COOLDOWN_SECONDS, LONGEST_COOLDOWN_SECONDS)
        status = getattr(error, "status_code", 500)
        # The cache keeps the text of the error, which may quote the key.
        kind = Exception(type(error).__name__)
        self.router.cooldown_cache.add_deployment_to_cooldown(deployment_id, kind, status, seconds)

    def resume(self, deployment_id: str) -> None:
        """Count a deployment that has answered as well again."""
        cache = self.router.cooldown_cache
        cache.cooldown_store.delete_cache(cache.get_cooldown_cache_key(deployment_id))

    def failing(self) -> set[str]:
        """Return the models all of whose deployments are cooling down."""
        resting = self._resting()
        return {
            model
            for model, levels in self._levels.items()
            if levels
            and resting.issuperset(one for level in levels for one in level.deployment_ids)
        }

    def close(self) -> None:
        """Unhook the Router from LiteLLM's lists of callbacks."""
        self.router.discard()

    def _resting(self) -> set[str]:
        cooldowns = self.router.cooldown_cache.get_active_cooldowns(list(self._by_id), None)
        return {deployment_id for deployment_id, _ in cooldowns}

    def _entry(self, level: str, deployment_id: str) -> dict[str, Any]:
        return {
            "model_name": level,
            "litellm_params": _litellm_params(self._by_id[deployment_id]),
            "model_info": {"id": deployment_id},
        }


class _Router(litellm.Router):
    """LiteLLM's Router, which else waits up to a minute to retry, and after the last retry too."""

    def _time_to_sleep_before_retry(
        self, e: Exception, remaining_retries: int, *_: object, **__: object
    ) -> float:
        if remaining_retries == 0:
            return 0
        asked = retry_after(e) or 0
        # A retry after a timeout would double a wait that was long enough.
        if isinstance(e, openai.APITimeoutError) or asked > LONGEST_WAIT_SECONDS:
            raise e
        return max(asked, RETRY_SECONDS)

    async def _acompletion_streaming_iterator(
        self, model_response: litellm.CustomStreamWrapper, *args: Any, **kwargs: Any
    ) -> litellm.CustomStreamWrapper:
        # Its wrapper asks another group when a stream breaks off, and there is none to ask. And it
        # hides the stream of OpenAI's client, which `provider_words.py` reads.
        if isinstance(model_response.completion_stream, openai.AsyncStream):
            return model_response
        return await super()._acompletion_streaming_iterator(model_response, *args, **kwargs)


def _with_ids(model: Model) -> dict[str, Deployment]:
    return {f"{model.identifier}#{n}": one for n, one in enumerate(model.deployments, start=1)}


def _levels(model: Model) -> Iterator[Level]:
    """Yield the levels in order; neighbours that have a weight make one."""
    sharing: list[str] = []
    for deployment_id, deployment in _with_ids(model).items():
        if deployment.weight is not None:
            sharing.append(deployment_id)
            continue
        if sharing:
            yield _level(sharing)
            sharing = []
        yield _level([deployment_id])
    if sharing:
        yield _level(sharing)


def _level(deployment_ids: list[str]) -> Level:
    return Level(f"level of {deployment_ids[0]}", tuple(deployment_ids))


def _litellm_params(deployment: Deployment) -> dict[str, Any]:
    params: dict[str, Any] = {
        "model": deployment.model,
        "timeout": deployment.timeout_seconds,
        "stream_timeout": deployment.timeout_seconds,
        # OpenAI's client refuses to start without a key, also where the server asks for none.
        "api_key": deployment.api_key or "none",
    }
    if deployment.api_base:
        params["api_base"] = deployment.api_base
    if deployment.weight is not None:
        params["weight"] = deployment.weight
    return params
