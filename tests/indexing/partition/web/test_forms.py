import pytest

from indexing.partition.web.markup import html_blocks


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        pytest.param('Name: <input value="Ann &amp; Co">', "Name: Ann & Co", id="text"),
        pytest.param("On <input type=DATE value=2024-05-01>", "On 2024-05-01", id="date"),
        pytest.param("<input type=checkbox checked>Paid", "☒ Paid", id="checked"),
        pytest.param("<input type=radio>Open", "☐ Open", id="not checked"),
        pytest.param("Key <input type=password value=a>", "Key", id="password"),
        pytest.param("<input type=submit value=Send>Ready", "Ready", id="button"),
        pytest.param("<input type=checkbox hidden>Menu", "Menu", id="hidden"),
        pytest.param("Name: <input>", "Name:", id="empty"),
    ],
)
def test_fields_of_a_form_show_what_is_typed_or_chosen(page: str, shown: str) -> None:
    (block,) = html_blocks(page)

    assert block.text == shown
