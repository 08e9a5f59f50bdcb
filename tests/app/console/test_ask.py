from app.ids import CONTEXT, new_id
from tests.app.console.browser import Browser, text_of
from tests.client import Client, Event, parse_events
from tests.fakes import ScriptedLLM

ANSWER = ["The deposit is 12,000 pounds", " <source_id=1>."]


async def test_answer_is_streamed_as_the_api_streams_it(
    browser: Browser, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [ANSWER]

    events = await ask(browser, engine)

    assert [event.event for event in events][-1] == "done"
    said = "".join(event.data for event in events[:-1])
    assert said == events[-1].data["response"] == "The deposit is 12,000 pounds <source_id=1>."


async def test_stream_can_be_resumed(browser: Browser, engine: str, llm: ScriptedLLM) -> None:
    llm.answers = [ANSWER]
    response = await browser.client.post(f"/engines/{engine}/ask", **request(browser))
    first = response.headers["Last-Event-ID"]
    events = parse_events(await response.get_data(as_text=True))

    again = await browser.client.post(
        f"/engines/{engine}/ask", **request(browser, {"Last-Event-ID": first})
    )

    assert parse_events(await again.get_data(as_text=True)) == events


async def test_finished_answer_has_its_source_one_click_away(
    browser: Browser, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [ANSWER]
    workflow_id = (await ask(browser, engine))[-1].data["id"]

    part = await browser.part("GET", f"/answers/{workflow_id}")

    prose = "//div[@class='prose']"
    assert text_of(part, f"{prose}//button[@data-cite='1']") == "1"
    (image,) = part.xpath("//dialog[@data-source='1']//img/@src")
    assert image.endswith(f"/pages/2.png?highlight={workflow_id}:1")
    assert "12,000 pounds" in text_of(part, "//dialog//blockquote")
    assert (await browser.get(image)).content_type == "image/png"


async def test_answer_says_which_model_was_chosen_and_why(
    browser: Browser, client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [ANSWER]
    workflow_id = (await ask(browser, engine))[-1].data["id"]
    workflow = await client.get(f"/workflows/{workflow_id}")

    part = await browser.part("GET", f"/answers/{workflow_id}")

    how = text_of(part, "//details[@class='how']")
    assert workflow["resolved_model"] in how
    assert workflow["routing_reason"] in how


async def test_conversation_is_shown_in_its_order(
    browser: Browser, client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["First."], ["Second."]]
    context_id = new_id(CONTEXT)
    for question in ("What is the rent?", "And the deposit?"):
        await client.ask(engine, question, context_id=context_id)

    root = await browser.page(f"/engines/{engine}/ask?context={context_id}")

    questions = [one.text_content() for one in root.xpath("//*[@id='turns']//p[@class='question']")]
    assert questions == ["What is the rent?", "And the deposit?"]
    assert text_of(root, "//aside//a[@aria-current]/span[1]") == "What is the rent?"
    assert root.xpath("//form/@data-context") == [context_id]


async def test_models_that_cannot_answer_cannot_be_chosen(
    browser: Browser, client: Client, engine: str
) -> None:
    await browser.part("POST", "/models/delta-5.4", is_on="no")

    root = await browser.page(f"/engines/{engine}/ask")

    assert root.xpath("//option[@disabled]/@value") == ["delta-5.4"]
    assert "auto" in root.xpath("//option/@value")


async def test_answer_of_another_account_is_not_there(
    browser: Browser, stranger: Client, llm: ScriptedLLM
) -> None:
    llm.answers = [["Theirs."]]
    theirs = await stranger.create_engine()
    await stranger.post(
        "/data-sources", name="x", type="ticket", knowledge_engine_id=theirs, content="A lease."
    )
    await stranger.read_all(theirs)
    workflow = await stranger.ask(theirs, "What?")

    status, message = await browser.refusal("GET", f"/answers/{workflow['id']}")

    assert (status, message) == (404, "workflow not found")


async def ask(browser: Browser, engine_id: str) -> list[Event]:
    response = await browser.client.post(f"/engines/{engine_id}/ask", **request(browser))
    assert response.status_code == 200, await response.get_data(as_text=True)
    return parse_events(await response.get_data(as_text=True))


def request(browser: Browser, headers: dict[str, str] | None = None) -> dict[str, object]:
    """Return what the page's script sends."""
    body = {"query": "How much is the deposit?", "name": "Deposit", "model": "auto"}
    token = {"X-CSRF-Token": browser.token, "Accept": "application/json"}
    return {"json": body, "headers": token | (headers or {})}
