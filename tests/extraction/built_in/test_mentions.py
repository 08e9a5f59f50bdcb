from extraction.built_in.mentions import Mention
from tests.extraction.built_in.pages import passages


def test_a_mention_knows_its_place_on_the_page() -> None:
    passage = passages("First line\nTotal 24.50")[1]
    mention = Mention(passage, 6, 11, 24.5)

    start, end = mention.page_span

    assert passage.page.text[start:end] == "24.50"
    assert mention.around.label == "Total"


def test_a_mention_may_be_taken_as_text() -> None:
    (passage,) = passages("Total 24.50")

    assert Mention(passage, 6, 11, 24.5).as_text() == Mention(passage, 6, 11, "24.50")
