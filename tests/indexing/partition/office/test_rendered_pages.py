import pytest

from indexing.partition.office.rendered_pages import count_numbered, place_on_pages
from indexing.types import NO_PAGE, Block, BlockKind, Page

LEASE = "The lease runs for three years and ends on the last day of March, unless it is renewed."
RENT = "The yearly rent is payable in advance, in four equal parts, on the first of each quarter."
REPAIRS = "The landlord keeps roof and walls in repair; the tenant keeps the gates and the lamps."


def text(words: str) -> Block:
    return Block(BlockKind.TEXT, words)


def test_blocks_go_to_the_page_their_words_stand_on() -> None:
    blocks = [Block(BlockKind.HEADING, "Term"), text(LEASE), Block(BlockKind.HEADING, "Rent")]

    pages = place_on_pages([*blocks, text(RENT)], [f"Term\n{LEASE}", "", f"Rent\n{RENT}"])

    assert pages == [
        Page(1, (blocks[0], blocks[1])),
        Page(2, ()),
        Page(3, (blocks[2], text(RENT))),
    ]


@pytest.mark.parametrize("cut", range(8, 16))
def test_a_paragraph_is_parted_where_its_page_ends(cut: int) -> None:
    words = LEASE.split()
    before, after = " ".join(words[:cut]), " ".join(words[cut:])

    pages = place_on_pages(
        [text(LEASE), text(RENT)], [f"Head\n{before}\nFoot 1", f"Head\n{after}\n{RENT}\nFoot 2"]
    )

    assert pages == [Page(1, (text(before),)), Page(2, (text(after), text(RENT)))]


def test_words_that_stand_together_over_the_end_of_a_page_are_parted_there() -> None:
    words = ["Nobody", "trims", "a", "wick", "by", "daylight", "here"]

    pages = place_on_pages([text(" ".join(words))], [" ".join(words[:5]), " ".join(words[5:])])

    assert pages == [Page(1, (text("Nobody trims a wick by"),)), Page(2, (text("daylight here"),))]


def test_a_table_keeps_its_header_on_each_page() -> None:
    table = Block(BlockKind.TABLE, "Storm lantern | 61\nSignal lamp | 189", header="Lamp | Price")

    pages = place_on_pages([table], ["Lamp Price\nStorm lantern 61", "Signal lamp 189"])

    assert pages == [
        Page(1, (Block(BlockKind.TABLE, "Storm lantern | 61", header="Lamp | Price"),)),
        Page(2, (Block(BlockKind.TABLE, "Signal lamp | 189", header="Lamp | Price"),)),
    ]


@pytest.mark.parametrize("cut", [4, 8, 11, 15])
def test_a_row_is_parted_where_its_page_ends(cut: int) -> None:
    (lease, lease_on), (rent, rent_on) = (
        (" ".join(words[:cut]), " ".join(words[cut:])) for words in (LEASE.split(), RENT.split())
    )
    table = Block(BlockKind.TABLE, f"4. | {LEASE} | {RENT}\n5. | {REPAIRS} | None")

    pages = place_on_pages(
        [table], [f"4. {lease}\n{rent}\nFoot 1", f"{lease_on}\n{rent_on}\n5.\n{REPAIRS}\nNone"]
    )

    assert pages == [
        Page(1, (Block(BlockKind.TABLE, f"4. | {lease} | {rent}"),)),
        Page(2, (Block(BlockKind.TABLE, f" | {lease_on} | {rent_on}\n5. | {REPAIRS} | None"),)),
    ]


def test_a_row_is_parted_where_one_of_its_cells_goes_on() -> None:
    words = REPAIRS.split()
    above, below = " ".join(words[:9]), " ".join(words[9:])
    table = Block(BlockKind.TABLE, f"The roof | {REPAIRS} | Owner")

    pages = place_on_pages([table], [f"The roof\n{above}\nOwner", below])

    assert [block.text for page in pages for block in page.blocks] == [
        f"The roof | {above} | Owner",
        f" | {below}",
    ]


def test_a_name_that_stands_on_a_later_page_too_keeps_its_row() -> None:
    table = Block(BlockKind.TABLE, f"North | {LEASE}\nNorth | {RENT}\nNorth | {REPAIRS}")

    pages = place_on_pages([table], [f"North\n{LEASE}\n{RENT}", f"North\n{REPAIRS}"])

    assert [block.text for page in pages for block in page.blocks] == [
        f"North | {LEASE}\nNorth | {RENT}",
        f"North | {REPAIRS}",
    ]


def test_rows_of_short_cells_are_looked_up_as_a_whole() -> None:
    table = Block(BlockKind.TABLE, "A17 | 61\nA18 | 189", header="Lamp | Price")

    pages = place_on_pages([table], ["Lamp Price\nA17 61", "A18 189"])

    assert [block.text for page in pages for block in page.blocks] == ["A17 | 61", "A18 | 189"]


def test_a_name_that_is_merged_over_rows_of_figures_is_not_looked_for_further_on() -> None:
    rows = "Bolt | 1 | 2\nBolt | 1 | 4\nBolt | 3 | 4"
    table = Block(BlockKind.TABLE, rows, header="Part | Kg | Price")
    sums = Block(BlockKind.TABLE, "Bolt | 4\nCog | 5", header="Part | Sum")

    pages = place_on_pages(
        [table, text(LEASE), sums],
        [f"Part Kg Price\nBolt 1 2\n1 4\n3 4\n{LEASE}", "Part Sum\nBolt 4\nCog 5"],
    )

    assert pages == [Page(1, (table, text(LEASE))), Page(2, (sums,))]


def test_a_foot_that_ends_the_page_does_not_make_what_follows_a_note() -> None:
    foot = text("Lease of the wharf")
    sums = Block(BlockKind.TABLE, "Rent | 4\nRates | 5\nLamps | 6", header="What | Sum")
    later = text(f"{REPAIRS} What is not kept in repair is made good at the tenant's cost.")

    pages = place_on_pages(
        [text(LEASE), sums, text(RENT), later, foot],
        [
            f"{LEASE}\n{foot.text} 1",
            f"What Sum\nRent 4\nRates 5\nLamps 6\n{foot.text} 2",
            f"{RENT}\n{later.text}\n{foot.text} 3",
        ],
        running=[foot],
    )

    assert [page.blocks for page in pages] == [(text(LEASE),), (sums,), (text(RENT), later, foot)]


def test_words_that_are_not_shown_stay_with_those_before() -> None:
    hidden = text("Nobody sees this comment.")

    pages = place_on_pages([text(LEASE), hidden, text(RENT)], [LEASE, RENT])

    assert pages == [Page(1, (text(LEASE), hidden)), Page(2, (text(RENT),))]


def test_a_note_beside_its_paragraph_does_not_lead_astray() -> None:
    note = text("See the schedule of rents.")

    pages = place_on_pages([text(LEASE), note, text(RENT)], [f"{LEASE}{RENT}{note.text}", "End"])

    assert pages == [Page(1, (text(LEASE), note, text(RENT))), Page(2, ())]


def test_the_thread_is_taken_up_again_behind_pages_that_read_otherwise() -> None:
    pages = [LEASE, *["what the blocks do not hold " * 200] * 9, RENT, REPAIRS]

    placed = place_on_pages([text(LEASE), text(RENT), text(REPAIRS)], pages)

    assert text(LEASE) in placed[0].blocks
    assert text(REPAIRS) in placed[11].blocks


def test_no_page_is_better_than_a_wrong_one() -> None:
    blocks = (text(LEASE), text(RENT))

    pages = place_on_pages(blocks, [RENT[::-1], LEASE[::-1]])

    assert pages == [Page(NO_PAGE, blocks)]
    assert count_numbered(pages) == 0


def test_a_head_of_later_pages_does_not_take_the_text_with_it() -> None:
    first, left = text("Chapter 1"), text("The head of left pages")
    layout = [
        f"Chapter 1\n{LEASE} See Chapter 10.",
        f"{left.text}\n{RENT}",
        REPAIRS,
        f"{left.text}\nEnd",
    ]

    pages = place_on_pages([first, left, *map(text, (LEASE, RENT, REPAIRS))], layout, [first, left])

    assert [[block.text for block in page.blocks] for page in pages] == [
        [first.text, LEASE],
        [left.text, RENT],
        [REPAIRS],
        [],
    ]


def test_what_is_drawn_otherwise_is_passed_over() -> None:
    words = [f"{word}{n}" for n in range(40) for word in ("lamp", "lens")]
    written = ["a^2" if n % 8 == 2 else word for n, word in enumerate(words)]
    drawn = ["Head " + " ".join(words[n : n + 20]) for n in range(0, len(words), 20)]

    pages = place_on_pages([text(" ".join(written))], drawn)

    assert [page.blocks[0].text.split()[-1] for page in pages] == [
        words[n] for n in (19, 39, 59, 79)
    ]


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param([LEASE, f"FAQ\n{RENT}"], id="right behind the text before"),
        pytest.param([LEASE, f"Lease of 2024\nFAQ\n{RENT}"], id="below a head"),
    ],
)
def test_a_short_heading_stands_with_what_it_is_the_heading_of(texts: list[str]) -> None:
    heading = Block(BlockKind.HEADING, "FAQ")

    pages = place_on_pages([text(LEASE), heading, text(RENT)], texts)

    assert pages == [Page(1, (text(LEASE),)), Page(2, (heading, text(RENT)))]


def test_short_texts_behind_each_other_stand_with_the_next_longer_one() -> None:
    short = [text("II"), text("1"), text("A")]

    pages = place_on_pages([text(LEASE), *short, text(RENT)], [LEASE, f"Lease\nII\n1\nA\n{RENT}"])

    assert pages == [Page(1, (text(LEASE),)), Page(2, (*short, text(RENT)))]


@pytest.mark.parametrize("head", ["", "No | Kg\n"], ids=["no header below", "header on each page"])
def test_rows_of_few_letters_stand_on_the_page_that_shows_them(head: str) -> None:
    rows = [f"{n} | {n % 7}" for n in range(1, 25)]
    table = Block(BlockKind.TABLE, "\n".join(rows), header="No | Kg")
    texts = [f"{LEASE}\nNo | Kg\n" + "\n".join(rows[:10]), head + "\n".join(rows[10:])]

    pages = place_on_pages([text(LEASE), table], texts)

    assert [page.blocks[-1].text.split("\n") for page in pages] == [rows[:10], rows[10:]]


def test_a_sentence_that_the_end_of_a_page_cuts_is_not_the_next_like_it() -> None:
    cut = LEASE.index("last")
    texts = [f"{RENT}\n{LEASE[:cut]}\n1", f"Lease\n{LEASE[cut:]}\n2", f"{REPAIRS}\n{LEASE}\n3"]

    pages = place_on_pages([text(RENT), text(LEASE), text(REPAIRS), text(LEASE)], texts)

    assert pages == [
        Page(1, (text(RENT), text(LEASE[:cut].strip()))),
        Page(2, (text(LEASE[cut:]),)),
        Page(3, (text(REPAIRS), text(LEASE))),
    ]


def test_sentences_behind_a_note_at_the_foot_are_not_the_next_like_them() -> None:
    note = text("Within the meaning of the act of 1954, unless the parties agree otherwise.")
    texts = [f"{RENT}1\n{LEASE}\n{note.text}\n1", f"{REPAIRS}\n{LEASE}\n2"]

    pages = place_on_pages([text(RENT), note, text(LEASE), text(REPAIRS), text(LEASE)], texts)

    assert pages == [
        Page(1, (text(RENT), note, text(LEASE))),
        Page(2, (text(REPAIRS), text(LEASE))),
    ]
