import numpy as np

from indexing.span_layout import COUNTS, SPAN, Layout, SpanLayouts

ENGINE = "kng_1"


def counted(*segments: tuple[int, int, int]) -> "np.ndarray[tuple[int], np.dtype[np.void]]":
    """The counts of segments: of each its number, its stamp and its extent."""
    return np.array([(one, stamp, 1, size, 1, size, 10) for one, stamp, size in segments], COUNTS)


def laid_out(
    layouts: SpanLayouts,
    segments: list[tuple[int, int, int]],
    spans: list[tuple[int, int, int, int]],
    owners: list[str],
    engine_id: str = ENGINE,
) -> Layout:
    """Lay an engine out that has these new spans."""
    known = layouts.spans(engine_id)
    return layouts.layout(engine_id, counted(*segments), known, np.array(spans, SPAN), owners)


def owners(layout: Layout) -> list[str]:
    """Return whose the chunk of each place is."""
    found: list[str] = layout.data_source_ids[layout.owners].tolist()
    return found


def test_every_place_knows_whose_chunk_it_is() -> None:
    spans = [(3, 0, 2, 0), (3, 2, 1, 100), (8, 0, 2, 7)]

    layout = laid_out(SpanLayouts(), [(3, 31, 3), (8, 81, 2)], spans, ["a", "b", "c"])

    assert owners(layout) == ["a", "a", "b", "c", "c"]
    assert layout.bases.tolist() == [0, 3]
    assert layout.starts.tolist() == [0, 2, 3]
    assert layout.first_positions.tolist() == [0, 100, 7]


def test_deleted_chunks_keep_their_places_until_they_are_merged() -> None:
    spans = [(3, 1, 1, 0), (3, 4, 1, 0), (8, 2, 1, 0)]

    layout = laid_out(SpanLayouts(), [(3, 31, 6), (8, 81, 4)], spans, ["a", "b", "c"])

    assert layout.size == 10
    assert [owners(layout)[place] for place in (1, 4, 8)] == ["a", "b", "c"]


def test_what_is_known_is_not_asked_for_again() -> None:
    layouts = SpanLayouts()
    first = laid_out(layouts, [(3, 31, 1)], [(3, 0, 1, 0)], ["a"])

    assert list(layouts.spans(ENGINE)) == [31]
    assert laid_out(layouts, [(3, 31, 1)], [], []) is first


def test_new_segments_join_and_merged_ones_go() -> None:
    layouts = SpanLayouts()
    laid_out(layouts, [(3, 31, 1), (4, 41, 1)], [(3, 0, 1, 0), (4, 0, 1, 0)], ["a", "b"])

    more = laid_out(layouts, [(3, 31, 1), (4, 41, 1), (5, 51, 1)], [(5, 0, 1, 0)], ["c"])
    merged = laid_out(layouts, [(5, 51, 1), (6, 61, 2)], [(6, 0, 1, 0), (6, 1, 1, 0)], ["a", "b"])

    assert owners(more) == ["a", "b", "c"]
    assert owners(merged) == ["c", "a", "b"]
    assert sorted(layouts.spans(ENGINE)) == [51, 61]


def test_engines_that_were_not_asked_lately_are_forgotten() -> None:
    layouts = SpanLayouts(most_spans=3)
    two = [(3, 0, 1, 0), (3, 1, 1, 0)]
    for engine_id in ("kng_1", "kng_2"):
        laid_out(layouts, [(3, 31, 2)], two, ["a", "b"], engine_id)

    assert not layouts.spans("kng_1")
    assert layouts.spans("kng_2")


def test_largest_engine_is_kept_however_large() -> None:
    layouts = SpanLayouts(most_spans=1)

    laid_out(layouts, [(3, 31, 2)], [(3, 0, 1, 0), (3, 1, 1, 0)], ["a", "b"])

    assert layouts.spans(ENGINE)
