"""`ke ask`: an answer as it is written, with its citations as footnotes."""

import re
from collections.abc import Sequence

from app.people.connection import find_engine
from app.people.writing import note, place, say, say_json
from knowledge_engine import Client, Done, StreamCitation
from knowledge_engine.questions import QuestionOptions

_KEY = re.compile(r"<source_id=([0-9]+)>")


def ask(
    client: Client, engine: str | None, question: str, options: QuestionOptions, *, as_json: bool
) -> None:
    """Ask, write the answer as it comes and then where each statement stands."""
    engine_id = find_engine(client, engine).id
    if as_json:
        say_json(client.workflows.create(engine_id, question, **options))
        return
    for event in client.query(engine_id, question, **options):
        if isinstance(event, Done):
            say("")
            for line in footnotes(event.citations):
                say(line)
            context_id = client.workflows.get(event.id).context_id
            note(f"\nTo go on with this conversation: --context {context_id}")
        else:
            # A key is never cut in two.
            say(_KEY.sub(r"[\1]", event.text), newline=False)


def footnotes(citations: Sequence[StreamCitation]) -> list[str]:
    """Return a line for each citation: its number, its file and its page."""
    lines = [
        f"[{number}] {place(citation.source, citation.page)}"
        for number, citation in enumerate(citations, start=1)
    ]
    return ["", *lines] if lines else []
