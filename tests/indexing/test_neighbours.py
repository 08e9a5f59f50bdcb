from typing import Any

from indexing.chunking import split
from indexing.neighbours import EXTENDED, join_neighbours, neighbour_ids, position
from indexing.types import Chunk

TEXT = " ".join(f"Clause {number} says what number {number} says." for number in range(150))
PIECES = [piece.content for piece in split(TEXT)]


def test_neighbours_of_the_best_chunks_are_asked_for() -> None:
    ranked = [chunk(number * 10) for number in range(EXTENDED + 2)]

    asked = neighbour_ids(ranked)

    assert asked == ["ds_1_1", "ds_1_9", "ds_1_11", "ds_1_19", "ds_1_21"]


def test_pieces_of_a_text_become_the_text_again() -> None:
    chunks = [chunk(number, piece) for number, piece in enumerate(PIECES)]

    (joined,) = join_neighbours([chunks[1]], [chunks[0], chunks[2]])

    assert joined.content in TEXT
    assert joined.content.startswith(PIECES[0])
    assert joined.content.endswith(PIECES[2])
    assert joined.chunk_id == "ds_1_1"


def test_chunks_that_do_not_overlap_stand_below_each_other() -> None:
    (joined,) = join_neighbours([chunk(1, "| 2 | b")], [chunk(0, "| 1 | a")])

    assert joined.content == "| 1 | a\n| 2 | b"


def test_best_chunks_that_are_neighbours_become_one_passage_at_the_better_place() -> None:
    ranked = [chunk(9, "other"), chunk(4, "end"), chunk(20, "far"), chunk(3, "begin")]

    passages = join_neighbours(ranked, [])

    assert [one.content for one in passages] == ["other", "begin\nend", "far"]


def test_nothing_is_joined_across_pages_headings_and_documents() -> None:
    ranked = [chunk(1, "here")]
    beside = [
        chunk(2, "next page", page=2),
        chunk(0, "other heading", section="Deposit"),
        chunk(2, "other document", data_source="ds_2"),
    ]

    assert [one.content for one in join_neighbours(ranked, beside[:2])] == ["here"]
    assert [one.content for one in join_neighbours(ranked, beside[2:])] == ["here"]


def test_box_is_drawn_around_all_of_a_passage() -> None:
    one, other = chunk(0, box=(0.1, 0.1, 0.5, 0.2)), chunk(1, box=(0.2, 0.2, 0.9, 0.3))

    (joined,) = join_neighbours([one], [other])

    assert joined.box == (0.1, 0.1, 0.9, 0.3)


def test_position_is_the_end_of_the_id() -> None:
    assert position(chunk(12)) == 12


def chunk(number: int, content: str = "text", data_source: str = "ds_1", **known: Any) -> Chunk:
    chunk_id = f"{data_source}_{number}"
    page, section = known.get("page", 1), known.get("section", "Rent")
    return Chunk(chunk_id, data_source, "lease.pdf", page, content, section, box=known.get("box"))
