"""`ke search`: the passages that fit best."""

from textwrap import indent

from app.people.connection import find_engine
from app.people.writing import place, say, say_json
from knowledge_engine import Client


def search(client: Client, engine: str | None, query: str, top: int, *, as_json: bool) -> None:
    """Write the passages that fit a query best, best first."""
    found = client.retrieve(find_engine(client, engine).id, query, top_k=top)
    if as_json:
        say_json(found)
        return
    for number, chunk in enumerate(found.chunks, start=1):
        section = f" · {chunk.section}" if chunk.section else ""
        say(f"{number}. {place(chunk.filename, chunk.page_number)}{section} ({chunk.score:.2f})")
        say(indent(chunk.content, "   "))
        say("")
