import pytest

from indexing.partition.office.layout import Layout, letters_of, pages_of_lines

PAGES = [
    "Head\nThe pump of hall 4 was paid in May.\n1 Of the year before.",
    "Head\nThe gauge of hall 5 was paid in June.",
]


def test_texts_are_found_one_after_the_other_with_their_pages() -> None:
    layout = Layout.of(PAGES)

    assert layout.find("The pump of hall 4") == 0
    assert layout.find("was paid in June.") == 1
    assert layout.find("was sold in June.") is None


def test_a_text_that_ends_its_page_goes_on_below_the_head_of_the_next() -> None:
    layout = Layout.of(PAGES)
    layout.find("was paid in May.")

    assert layout.cut_at("Of the year before", "The gauge of hall") is False
    assert layout.cut_at("1 Of the year before", "The gauge of hall") is True
    assert layout.find("The gauge of hall 5") == 1


def test_a_foot_that_says_the_first_words_of_the_next_page_is_none_of_its_text() -> None:
    layout = Layout.of(["The end.\nHale & Co", "Hale & Co sells lamps.\nHale & Co"])
    layout.find("The end.")

    assert not layout.cut_at("Hale & Co ", "sells lamps.")
    assert layout.find("Hale & Co sells lamps.") == 1


def test_a_note_at_the_foot_is_told_by_what_goes_on_without_it() -> None:
    layout = Layout.of(PAGES)
    layout.find("Head")

    assert layout.goes_on_without("Of the year before.", [letters_of("The pump of hall 4")])
    assert not layout.goes_on_without("The pump of hall 4", [letters_of("was paid in May")])


def test_a_short_text_stands_before_what_is_behind_it() -> None:
    layout = Layout.of(["The end.", "No. 1 The gauge of hall 5."])

    assert layout.page_of_short("No", letters_of("1 The gauge of hall")) == 1


def test_running_heads_stand_on_several_pages() -> None:
    assert pages_of_lines(PAGES)[letters_of("Head")] == [0, 1]
    assert Layout.of(PAGES).first_page_of("Head", pages_of_lines(PAGES)) == 0


def test_letters_are_compared_without_marks_and_case() -> None:
    assert letters_of("The ﬁrst: No. 4") == "thefirstno4"


ROW = "17 Lamp | gate and quay and bell of the harbour | 4711.50"


@pytest.mark.parametrize(
    ("pages", "page"),
    [
        pytest.param([f"Lamp Bell {ROW} Lamp", "gate"], 0, id="ahead"),
        pytest.param([f"Lamp {ROW}", f"gate {ROW}"], 0, id="the next of two"),
        pytest.param(
            ["17 Lamp gate and quay", "and bell of the harbour 4711.50"], None, id="parted"
        ),
        pytest.param(["17 Lamp gate", "4711.50"], None, id="nowhere"),
    ],
)
def test_a_row_is_found_where_all_its_cells_stand_together(
    pages: list[str], page: int | None
) -> None:
    assert Layout.of(pages).find_row(ROW) == page


def test_a_row_is_found_again_behind_which_a_word_of_its_own_was_found() -> None:
    layout = Layout.of([f"Bell {ROW} Lamp of the mole, and of the harbour", "Lamp"])
    layout.find("of the mole")

    assert layout.find_row(ROW) == 0
    assert layout.stands_here("Lamp of the mole")
