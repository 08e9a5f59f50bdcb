"""Gateways to loopback servers, as the tests of everything that asks a model need them."""

from agents.gateway import LLMGateway
from agents.prompts import Message
from agents.usage import Step, Usage
from config.model_table import AutoRule, Deployment, Model, ModelTable
from tests.fakes import HashEmbedder
from tests.openai_server import OpenAIServer

KEY = "sk-secret-of-the-test"
OPENAI = "https://api.openai.com/v1/chat/completions"

MESSAGES = [Message(role="user", content="When does the lease end?")]


async def said(
    gateway: LLMGateway,
    model: str = "delta-4.1",
    messages: list[Message] = MESSAGES,
    usage: Usage | None = None,
) -> list[str]:
    return [word async for word in gateway.stream(model, messages, usage)]


async def step_of(gateway: LLMGateway) -> Step:
    """Ask a question, and return the one step of its answer."""
    usage = Usage()
    await said(gateway, usage=usage)
    (step,) = usage.steps
    return step


def gateway_to(*servers: OpenAIServer) -> LLMGateway:
    """Return a gateway whose `delta-4.1` has these servers for its deployments."""
    return gateway_of(*map(deployment_at, servers))


def gateway_of(*deployments: Deployment) -> LLMGateway:
    return LLMGateway(table_of(*deployments), HashEmbedder().embed, "delta-4.1")


def deployment_at(server: OpenAIServer) -> Deployment:
    return Deployment("openai/m", KEY, server.address, 1.0)


def table_to(*servers: OpenAIServer) -> ModelTable:
    return table_of(*map(deployment_at, servers))


def table_of(*deployments: Deployment) -> ModelTable:
    model = Model("delta-4.1", "Delta 4.1", deployments)
    return ModelTable({"delta-4.1": model}, {AutoRule.STANDARD: ("delta-4.1",)})


def table_of_two(first: OpenAIServer, second: OpenAIServer) -> ModelTable:
    """Return a table whose `delta-4.1` is the first server, and `gamma-2.5` the second."""
    servers = {"delta-4.1": first, "gamma-2.5": second}
    models = {name: Model(name, name, (deployment_at(one),)) for name, one in servers.items()}
    return ModelTable(models, {AutoRule.STANDARD: ("delta-4.1",)})
