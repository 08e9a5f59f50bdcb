from app.chat_annotations import annotate, with_numbers
from app.models.workflow import Workflow
from app.schemas_chat import UrlCitation
from app.services import Services
from tests.client import Client
from tests.conftest import FILES
from tests.fakes import ScriptedLLM

BASE = "https://ke.example"


async def test_page_is_shown_with_the_cited_words_marked(
    client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    workflow = await answer(client, services, llm, engine, "It ends in March <source_id=1>.")

    (place,) = await places(services, workflow)

    assert place.url.startswith(f"{BASE}/api/v1/data-sources/ds_")
    assert place.url.endswith(f"/pages/1.png?highlight={workflow.id}:1")
    image = await client.call("GET", place.url.removeprefix(BASE))
    assert image.content_type == "image/png"
    assert int(image.headers["Highlighted-Lines"]) > 0


async def test_document_without_pages_leads_to_its_file(
    client: Client, services: Services, llm: ScriptedLLM
) -> None:
    engine = await client.create_engine()
    await client.add(engine, FILES / "inventory-notes.md")
    workflow = await answer(client, services, llm, engine, "Shelf A holds glass <source_id=1>.")

    (place,) = await places(services, workflow)

    assert place.title == "inventory-notes.md"
    client.key = ""
    file = await client.call("GET", place.url.removeprefix(BASE))
    assert await file.get_data(as_text=False) == (FILES / "inventory-notes.md").read_bytes()


async def test_each_number_in_the_text_is_annotated(
    client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    workflow = await answer(client, services, llm, engine, "It ends in March <source_id=1>.")
    workflow.citations += [workflow.citations[0] | {"citation_key": "<source_id=2>"}]
    workflow.response = "March <source_id=1>, May <source_id=2><source_id=1>."

    found = await places(services, workflow)

    shown = with_numbers(workflow.response)
    assert shown == "March [1], May [2][1]."
    assert [shown[one.start_index : one.end_index] for one in found] == ["[1]", "[2]", "[1]"]


async def test_deleted_document_is_not_annotated(
    client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    workflow = await answer(client, services, llm, engine, "It ends in March <source_id=1>.")
    data_source_id = workflow.citations[0]["data_source_id"]
    await client.call("DELETE", f"/api/v1/data-sources/{data_source_id}")

    assert await places(services, workflow) == []


async def answer(
    client: Client, services: Services, llm: ScriptedLLM, engine: str, text: str
) -> Workflow:
    llm.answers = [[text]]
    stored = await client.ask(engine, "When?")
    async with services.database.reading() as session:
        return await session.get_one(Workflow, stored["id"])


async def places(services: Services, workflow: Workflow) -> list[UrlCitation]:
    return [one.url_citation for one in await annotate(services, workflow, BASE, None)]
