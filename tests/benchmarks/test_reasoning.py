"""What the benchmark of advanced reasoning counts."""

import json

import httpx

from benchmarks.question_sets import TEXT_MEASURES, Question, QuestionSet, SourceDocument
from benchmarks.reasoning import ONCE, RULES, TOLD, Searcher, measure, ways
from benchmarks.retrieval_quality import LoadedSet
from indexing.types import NO_PAGE

QUESTION = Question(
    "Where was the director of Jaws born?", {("film", NO_PAGE): 1.0, ("man", NO_PAGE): 1.0}
)
TEXTS = {
    "film": "# Jaws\n\nJaws is a film by the director Steven Spielberg.",
    "man": "# Spielberg\n\nSteven Spielberg grew up in Ohio.",
}
DOCUMENTS = [SourceDocument(name, f"{name}.md", text.encode()) for name, text in TEXTS.items()]
LOADED = LoadedSet(
    QuestionSet("films", DOCUMENTS, [QUESTION], TEXT_MEASURES),
    engine_id="kng_1",
    document_ids={"ds_film": "film", "ds_man": "man"},
    failed=0,
    seconds=1.0,
)


def service(request: httpx.Request) -> httpx.Response:
    """Find the man by his name only, as a search for the question alone does not."""
    name = "man" if "Spielberg" in json.loads(request.content)["query"] else "film"
    chunk = {
        "chunk_id": name,
        "data_source_id": f"ds_{name}",
        "filename": f"{name}.md",
        "page_number": NO_PAGE,
        "content": TEXTS[name],
        "section": "",
        "score": 0.5,
    }
    return httpx.Response(200, json={"chunks": [chunk]})


async def test_each_way_is_judged_by_what_its_answer_would_see() -> None:
    async with httpx.AsyncClient(
        base_url="http://service", transport=httpx.MockTransport(service)
    ) as client:
        searcher = Searcher(client, "kng_1")
        found = {
            name: await measure(LOADED, [QUESTION], searcher, way)
            for name, way in ways(searcher, LOADED.questions).items()
        }

    assert {name: (one.recalls, one.found_all) for name, one in found.items()} == {
        ONCE: ([0.5], [0.0]),
        RULES: ([1.0], [1.0]),
        TOLD: ([1.0], [1.0]),
    }
    assert found[ONCE].searches == [1]
    assert found[TOLD].searches == [3]
