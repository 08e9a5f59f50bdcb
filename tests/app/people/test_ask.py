"""`ke ask` at a real service."""

import json
import re

from app.people.ask import footnotes
from knowledge_engine import StreamCitation
from tests.app.people.conftest import Command


def test_answer_comes_with_its_sources_as_footnotes(run: Command, leases: str) -> None:
    done = run("ask", "How much is the deposit?", "--engine", leases)

    answer, _, notes = done.stdout.partition("\n\n")
    assert "12,000 pounds" in answer
    assert answer.endswith("[1]")
    assert "<source_id" not in answer
    assert notes == "[1] warehouse-lease.pdf, page 2\n"


def test_conversation_goes_on_with_the_context_that_was_shown(run: Command, leases: str) -> None:
    first = run("ask", "How much is the deposit?", "--engine", leases)
    context = re.findall(r"--context (ctx_\w+)", first.stderr)[0]

    second = run(
        "ask", "And the rent?", "--engine", leases, "--context", context, "--advanced", "--json"
    )

    workflow = json.loads(second.stdout)
    assert workflow["context_id"] == context
    assert workflow["advanced_reasoning"] is True


def test_model_that_is_not_enabled_is_refused_in_one_line(run: Command, leases: str) -> None:
    done = run("ask", "How much?", "--engine", leases, "--model", "delta-4.1")

    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == "400: Model Delta 4.1 is not enabled\n"


def test_source_without_pages_has_no_page() -> None:
    citations = [
        StreamCitation(text="x", source="a.pdf", page=3),
        StreamCitation(text="x", source="b.csv", page=-1),
    ]

    assert footnotes(citations) == ["", "[1] a.pdf, page 3", "[2] b.csv"]
    assert footnotes([]) == []
