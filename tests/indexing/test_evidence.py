"""Where on its page a passage or value stands."""

import pytest

from indexing.evidence import MatchKind, evidence_at, locate, page_text
from indexing.types import NO_PAGE, Block, BlockKind, Page

UPPER = (0.1, 0.1, 0.9, 0.12)
LOWER = (0.1, 0.13, 0.8, 0.15)
NOTICE = (
    "The lease begins on the first day of March. The tenant pays a depo-\n"
    "sit of two rents before it. The landlord keeps it apart."
)


def page_of(*texts: str, number: int = 1) -> Page:
    return Page(number, tuple(Block(BlockKind.TEXT, text) for text in texts))


@pytest.mark.parametrize(
    ("looked_for", "on_page", "kind"),
    [
        pytest.param("Soon Huat Ltd.", "Soon Huat Ltd.", MatchKind.EXACT, id="exact"),
        pytest.param("SOON HUAT", "Soon Huat", MatchKind.NORMALISED, id="case"),
        pytest.param("J.H. Cromarty", "J. H.  Cromarty", MatchKind.NORMALISED, id="spaces"),
        pytest.param("Soon Huat Ltd", "Soon Huat\nLtd", MatchKind.NORMALISED, id="line end"),
        pytest.param("deposit", "depo-\nsit", MatchKind.NORMALISED, id="hyphenation"),
        pytest.param("non-disclosure", "non-\ndisclosure", MatchKind.NORMALISED, id="hyphen kept"),
        pytest.param('Joe\'s "best"', "Joe’s “best”", MatchKind.NORMALISED, id="quotes"),
        pytest.param("2019-2020", "2019–2020", MatchKind.NORMALISED, id="dashes"),
        pytest.param("final office", "ﬁnal oﬃce", MatchKind.NORMALISED, id="ligatures"),
        pytest.param("Straße", "STRASSE", MatchKind.NORMALISED, id="sharp s"),
        pytest.param("café", "cafe\u0301", MatchKind.NORMALISED, id="composed accent"),
        pytest.param("12 kg", "１２\xa0ｋｇ", MatchKind.NORMALISED, id="full width"),
        pytest.param("股份有限公司", "股份有限\n公司", MatchKind.NORMALISED, id="Chinese line end"),
        pytest.param("SOON HUAT MACHINERY", "SO0N HUAT MACHlNERY", MatchKind.FUZZY, id="letters"),
    ],
)
def test_a_text_is_found_as_the_page_has_it(looked_for: str, on_page: str, kind: MatchKind) -> None:
    page = page_of("Before it.", f"Here, {on_page}, it is.")

    (place,) = locate(looked_for, [page])

    assert (place.text, place.kind) == (on_page, kind)


@pytest.mark.parametrize(
    ("looked_for", "on_page"),
    [
        pytest.param("Ann", "Annual Hann", id="part of a word"),
        pytest.param("60.3", "160.3 60.30", id="part of a number"),
        pytest.param("5", "1.5 5,2", id="side of a decimal mark"),
        pytest.param("12", "1 2", id="digits apart"),
        pytest.param("Invoice number 12345", "Invoice number 12346", id="another digit"),
        pytest.param("Harbour Estates", "Mountain Holdings", id="another name"),
        pytest.param("cats", "cots", id="too short for recognition faults"),
        pytest.param("  ", "a  b", id="nothing"),
        pytest.param("a" * 5_001, "a" * 5_001, id="longer than any value"),
    ],
)
def test_what_is_not_there_is_not_found(looked_for: str, on_page: str) -> None:
    assert locate(looked_for, [page_of(on_page)]) == []


def test_exact_places_come_before_normalised_ones_and_pages_in_order() -> None:
    pages = [page_of("ACME LTD", number=1), page_of("Acme Ltd", "Acme Ltd", number=2)]

    places = locate("Acme Ltd", pages)

    assert [(place.page_number, place.start) for place in places] == [(2, 0), (2, 9), (1, 0)]


def test_a_fuzzy_place_is_scored_by_how_much_is_alike() -> None:
    near, far = page_of("THE GOLDEN DRAG0N"), page_of("THE G0LDEN DRAGQN")

    places = locate("THE GOLDEN DRAGON", [far, near])

    assert [place.text for place in places] == ["THE GOLDEN DRAG0N", "THE G0LDEN DRAGQN"]
    assert 1 > places[0].score > places[1].score >= 0.8


def test_the_passage_is_the_sentence_with_the_line_ends_of_the_page() -> None:
    (place,) = locate("deposit", [page_of(NOTICE)])

    assert place.passage == "The tenant pays a depo-\nsit of two rents before it."


def test_the_passage_of_a_receipt_is_the_line() -> None:
    (place,) = locate("60.30", [page_of("Rounding 0.02\nTotal RM 60.30\nCash 100.00")])

    assert place.passage == "Total RM 60.30"


def test_the_passage_in_a_table_is_the_row() -> None:
    rows = "Rent for the whole of the third floor | monthly | 1,200\nDeposit | once | 2,400"
    page = Page(1, (Block(BlockKind.TABLE, rows, header="What | When | EUR"),))

    (place,) = locate("1,200", [page])

    assert place.passage == rows.split("\n")[0]


def test_the_passage_of_an_endless_sentence_is_cut_at_words() -> None:
    (place,) = locate("middle", [page_of("word " * 300 + "middle" + " word" * 300)])

    assert place.passage.startswith("word ")
    assert place.passage.endswith(" word")
    assert 700 < len(place.passage) <= 806


def test_the_box_is_around_the_lines_of_the_place() -> None:
    page = Page(1, (Block(BlockKind.TEXT, NOTICE, line_boxes=(UPPER, LOWER)),))

    assert locate("landlord", [page])[0].box == LOWER
    assert locate("deposit", [page])[0].box == (0.1, 0.1, 0.9, 0.15)


def test_a_table_has_the_boxes_of_its_header_first() -> None:
    block = Block(BlockKind.TABLE, "Deposit | 2,400", "What | EUR", (UPPER, LOWER))

    assert locate("2,400", [Page(1, (block,))])[0].box == LOWER


def test_text_without_places_has_no_box() -> None:
    assert locate("landlord", [page_of(NOTICE, number=NO_PAGE)])[0].box is None


def test_a_span_of_the_text_has_its_line_block_and_passage() -> None:
    page = Page(3, (Block(BlockKind.HEADING, "Lease"), Block(BlockKind.TEXT, "Rent\n1,200 EUR")))
    read = page_text(page)
    start = read.text.index("1,200")

    place = evidence_at(read, start, start + 5)

    assert (place.page_number, place.text, place.passage) == (3, "1,200", "1,200 EUR")
    assert [line.block for line in read.lines_of(place.start, place.end)] == [1]


def test_a_page_without_text_has_nothing() -> None:
    assert locate("anything", [Page(1, ()), page_of("")]) == []
