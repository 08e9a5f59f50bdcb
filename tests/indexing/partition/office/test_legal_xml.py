import pytest

from indexing.partition.office.legal_xml import in_legal_xml


@pytest.mark.parametrize(
    ("written", "legal"),
    [
        ("salt & pepper", "salt &amp; pepper"),
        ("A&B; &c.", "A&amp;B; &amp;c."),
        ("&lt;b&gt; &#8364; &#x20AC;", "&lt;b&gt; &#8364; &#x20AC;"),
        ("10&nbsp;&euro;", "10&#160;&#8364;"),
        ("3 < 4 <b/>", "3 &lt; 4 <b/>"),
        ("one\x0btwo\x01 three&#11;four&#x1F;&#0;", "one two three four "),
        ("&#99999999;", ""),
        ("line\n\tnext", "line\n\tnext"),
        ("日本語 – ß", "日本語 – ß"),
    ],
)
def test_what_xml_does_not_allow_is_written_as_it_does(written: str, legal: str) -> None:
    assert in_legal_xml(written.encode()).decode() == legal


def test_bytes_of_windows_within_utf_8_are_its_letters() -> None:
    assert in_legal_xml("Größe ".encode() + "Größe – 5 €".encode("cp1252")).decode() == (
        "Größe Größe – 5 €"
    )


def test_a_part_with_entities_of_its_own_stays_as_it_is() -> None:
    laughs = b'<!DOCTYPE a [<!ENTITY b "ha">]><a>&b; & &c;</a>'

    assert in_legal_xml(laughs) == laughs
