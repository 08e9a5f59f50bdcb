import pytest

from agents.sentences import Unit, UnitKind, split_sentences, units


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("It rains. We stay.", ["It rains.", "We stay."], id="two sentences"),
        pytest.param("Mr. Smith came. He left.", ["Mr. Smith came.", "He left."], id="title"),
        pytest.param(
            "See Art. 5 and No. 7. Then go.", ["See Art. 5 and No. 7.", "Then go."], id="no."
        ),
        pytest.param(
            "J. R. Reed of the U.S. Army.", ["J. R. Reed of the U.S. Army."], id="initials"
        ),
        pytest.param("Open till 5 p.m. The end.", ["Open till 5 p.m.", "The end."], id="p.m."),
        pytest.param("It is 3.5 m. Wide, too.", ["It is 3.5 m.", "Wide, too."], id="decimal"),
        pytest.param(
            'He said "Stop." Then he ran.', ['He said "Stop."', "Then he ran."], id="quote"
        ),
        pytest.param(
            "Acme Inc. The rest.", ["Acme Inc.", "The rest."], id="abbreviated at the end"
        ),
        pytest.param(
            "家賃は十万円です。敷金は無い。", ["家賃は十万円です。", "敷金は無い。"], id="japanese"
        ),
        pytest.param("no end", ["no end"], id="no end"),
        pytest.param("Das gilt z. B. hier. Ja.", ["Das gilt z. B. hier.", "Ja."], id="z. B."),
        pytest.param("Bis zum 3. Mai. Ja.", ["Bis zum 3. Mai.", "Ja."], id="German date"),
        pytest.param("هل هذا؟ نعم.", ["هل هذا؟", "نعم."], id="Arabic"),
        pytest.param("यह है। वह है।", ["यह है।", "वह है।"], id="Hindi"),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert list(split_sentences(text)) == expected


def test_line_wrapped_text_is_joined() -> None:
    text = (
        "The lease begins on 1 April 2024 and ends on\n31 March 2027 unless it is renewed in\ntime."
    )

    assert [unit.text for unit in units(text)] == [text.replace("\n", " ")]


def test_short_lines_stay_apart() -> None:
    lines = ["Landlord: Anna Berger", "Tenant: Thomas Reed", "Rent: EUR 900"]

    assert [unit.text for unit in units("\n".join(lines))] == lines


def test_lines_of_a_slide_can_all_be_quoted() -> None:
    kinds = [unit.kind for unit in units("Reliable\nFast\nCheap to run")]

    assert kinds == [UnitKind.SENTENCE] * 3


def test_heading_leads_the_text_below_it() -> None:
    assert units("4. Rent\nThe rent is EUR 900. It is due monthly.") == [
        Unit("4. Rent", UnitKind.LEAD),
        Unit("The rent is EUR 900.", UnitKind.SENTENCE, "4. Rent"),
        Unit("It is due monthly.", UnitKind.SENTENCE, "4. Rent"),
    ]


def test_list_is_led_by_the_line_that_announces_it() -> None:
    assert units("Bring the following:\n- a passport\n- payslips not older\n  than a year") == [
        Unit("Bring the following:", UnitKind.LEAD),
        Unit("- a passport", UnitKind.ITEM, "Bring the following:"),
        Unit("- payslips not older than a year", UnitKind.ITEM, "Bring the following:"),
    ]


def test_long_item_is_cut_into_sentences() -> None:
    sentence = "This clause is long enough to be read by itself, and then it goes on for a while."
    found = units("- " + " ".join([sentence] * 3))

    assert [unit.kind for unit in found] == [UnitKind.ITEM] * 3


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        pytest.param(
            "Item | Price\nDesk | 12.50", ["Item: Desk; Price: 12.50"], id="cells named by columns"
        ),
        pytest.param("Item | 2024\nDesk | 7", ["Item: Desk; 2024: 7"], id="year as a column"),
        pytest.param("Item | Price\nDesk | ", ["Item: Desk"], id="empty cell"),
        pytest.param("Desk | 12.50\nLamp | 8.00", ["Desk | 12.50", "Lamp | 8.00"], id="no header"),
        pytest.param("Item | Price\n | 9.00", ["Price: 9.00"], id="empty first cell"),
        pytest.param(
            "| Item | Price |\n|---|---|\n| Desk | 9.00 |",
            ["Item: Desk; Price: 9.00"],
            id="markdown",
        ),
        pytest.param("Item | Price", ["Item | Price"], id="header alone"),
        pytest.param(
            "Item | Price\nDesk | oak | 9", ["Item | Price\nDesk | oak | 9"], id="ragged row"
        ),
    ],
)
def test_row_of_a_table_is_readable_by_itself(table: str, rows: list[str]) -> None:
    found = units(table)

    assert [unit.text for unit in found] == rows
    assert {unit.kind for unit in found} == {UnitKind.ROW}


def test_ornaments_are_no_units() -> None:
    assert [unit.text for unit in units("-----\nThe end.\n•\n***")] == ["The end."]


def test_figures_of_a_page_are_rows_below_their_columns() -> None:
    page = "Balance Sheets\n2023 2022\nAssets\nCash 5 7\nTotal 8 9"

    rows = [unit for unit in units(page) if unit.kind is UnitKind.ROW]

    assert [row.text for row in rows] == ["Cash; 2023: 5; 2022: 7", "Total; 2023: 8; 2022: 9"]
    assert {row.lead for row in rows} == {"Balance Sheets Assets 2023 2022"}


def test_columns_end_with_their_table() -> None:
    lines = ["2023 2022", "Cash 5 7", *(f"Line {letter}." for letter in "abcde"), "Staff 3 4"]

    assert units("\n".join(lines))[-1].text == "Staff 3 4"


def test_line_that_announces_a_table_answers_nothing() -> None:
    (announcement, *_) = units("Cash is as follows:\nItem | Amount\nCoins | 7")

    assert announcement.kind is UnitKind.LEAD


def test_page_number_is_no_unit() -> None:
    assert [unit.text for unit in units("The end.\n\n44")] == ["The end."]
