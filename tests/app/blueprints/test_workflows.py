from tests.client import Client
from tests.fakes import ScriptedLLM


async def test_answer_cites_the_page_it_comes_from(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["The lease ends ", "in March <source_id=1>."]]

    workflow = await client.ask(engine, "When does the lease end?")

    assert workflow["response"] == "The lease ends in March <source_id=1>."
    assert workflow["citations"][0]["file_name"] == "warehouse-lease.pdf"
