from tests.client import Client
from tests.fakes import ScriptedLLM


async def test_stream_ends_with_done(client: Client, engine: str, llm: ScriptedLLM) -> None:
    llm.answers = [["The lease ends ", "in March <source_id=1>."]]

    events = await client.query(engine, "When does the lease end?")

    assert [event.event for event in events] == ["message", "message", "done"]
    assert events[-1].data["response"] == "The lease ends in March <source_id=1>."
