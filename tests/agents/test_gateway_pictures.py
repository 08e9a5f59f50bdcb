"""Pictures that a vision model describes."""

import base64
import io

import httpx
import numpy as np
import pytest
import respx
from PIL import Image

from agents.gateway import LLMGateway
from config.model_table import Deployment
from indexing.drawing import FigureMaker
from indexing.figures import DescriptionFailed, FigureDescriber
from indexing.types import Block, BlockKind, Figure, Page
from tests.agents.gateways import KEY, OPENAI, gateway_to, table_of, table_to
from tests.fakes import HashEmbedder
from tests.files.drawn import draw_chart
from tests.openai_server import Fail, OpenAIServer, openai_server
from tests.openai_server import Step as ServerStep


async def test_model_is_sent_the_picture_and_the_words_around_it(server: OpenAIServer) -> None:
    server.scripts = [["A chart of bars."]]
    page = Page(3, (Block(BlockKind.HEADING, "Sales"),), figures=(Figure(1, chart()),))

    described = await FigureDescriber(gateway_to(server).describe).describe(page)

    (request,) = server.requests
    words, picture = request["messages"][1]["content"]
    kind, _, image = picture["image_url"]["url"].partition(",")
    assert kind == "data:image/jpeg;base64"
    assert Image.open(io.BytesIO(base64.b64decode(image))).size == (640, 420)
    assert "Sales" in words["text"]
    assert described.blocks[1] == Block(BlockKind.TEXT, "Figure: A chart of bars.")


@pytest.mark.parametrize(
    ("script", "detail"),
    [
        pytest.param([Fail(401)], "the model provider refused the service's credentials", id="401"),
        pytest.param([Fail(400)], "the model provider rejected the request", id="400"),
        pytest.param([Fail(422)], "the model provider failed", id="422"),
        pytest.param([Fail(500)], "the model provider failed", id="500"),
    ],
)
async def test_figure_that_is_not_described_is_told_on_its_page_without_the_key(
    server: OpenAIServer, script: list[ServerStep], detail: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.scripts = [script]
    words = Block(BlockKind.TEXT, "Jan Feb Mar")

    page = await FigureDescriber(gateway_to(server).describe).describe(
        Page(3, (words,), figures=(Figure(0, chart()),))
    )

    assert page.blocks == (words,)
    assert page.warning == f"the figure on page 3 was not described: {detail}"
    assert KEY not in caplog.text


@respx.mock
async def test_vision_provider_that_hangs_is_told() -> None:
    respx.post(OPENAI).mock(side_effect=httpx.ReadTimeout("late"))
    table = table_of(Deployment("openai/gpt-4.1", KEY, "", 5))
    gateway = LLMGateway(table, HashEmbedder().embed, "delta-4.1")

    with pytest.raises(DescriptionFailed, match="the model provider did not answer in time"):
        await gateway.describe(chart(), "")


@respx.mock
async def test_page_of_a_proxy_is_no_description() -> None:
    respx.post(OPENAI).respond(html="<html>Please log in</html>")
    table = table_of(Deployment("openai/gpt-4.1", KEY, "", 5))
    gateway = LLMGateway(table, HashEmbedder().embed, "delta-4.1")

    with pytest.raises(DescriptionFailed, match="the model provider failed"):
        await gateway.describe(chart(), "")


async def test_next_deployment_describes_where_the_first_fails(server: OpenAIServer) -> None:
    async with openai_server() as second:
        server.scripts, second.scripts = [[Fail(404)]], [["A chart."]]

        assert await gateway_to(server, second).describe(chart(), "") == "A chart."


async def test_trouble_of_a_moment_does_not_cost_a_description(server: OpenAIServer) -> None:
    server.scripts = [[Fail(500)], ["A chart."]]

    assert await gateway_to(server).describe(chart(), "") == "A chart."


async def test_without_a_vision_model_nothing_is_sent(server: OpenAIServer) -> None:
    gateway = LLMGateway(table_to(server), HashEmbedder().embed)

    with pytest.raises(DescriptionFailed, match="no vision model is set"):
        await gateway.describe(chart(), "")

    assert server.requests == []


def chart() -> bytes:
    return FigureMaker().make(np.asarray(draw_chart())[:, :, ::-1])
