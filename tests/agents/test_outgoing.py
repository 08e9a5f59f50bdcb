import re
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from agents.outgoing import LONGEST_ADDRESS, OutgoingText

SOURCES = [
    "See https://harbour.example/lease?id=7. [Prices](prices.html), or www.harbour.example/fees",
    'Plan: ![plan](https://harbour.example/plan.png), <img src="logo.png">, desk.example/a/b.',
    "From: Jo <jo@harbour.example>",
]


def sent(said: str, size: int = 0) -> str:
    text = OutgoingText(SOURCES)
    size = size or max(1, len(said))
    parts = [said[start : start + size] for start in range(0, len(said), size)]
    return "".join([*map(text.feed, parts), text.close()])


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param("See https://evil.example/?q=rent now.", "See ‹…› now.", id="address"),
        pytest.param("HTTPS://EVIL.EXAMPLE/", "‹…›", id="capitals"),
        pytest.param("(http://evil.example).", "(‹…›).", id="in brackets"),
        pytest.param("www.evil.example", "‹…›", id="no scheme"),
        pytest.param("at //evil.example/x", "at ‹…›", id="no scheme, two slashes"),
        pytest.param("evil.example/rent=48000", "evil.‹…›", id="host and path"),
        pytest.param("evil.example/?q=rent", "evil.‹…›", id="host and query"),
        pytest.param("evil.example/#rent", "evil.‹…›", id="host and fragment"),
        pytest.param("evil.example:80/x", "evil.‹…›", id="host and port"),
        pytest.param("gopher://evil.example", "gopher:‹…›", id="another scheme"),
        pytest.param("http:\\\\evil.example", "‹…›", id="other slashes"),
        pytest.param("https\\://evil.example", "https\\:‹…›", id="colon escaped"),
        pytest.param("www\\.evil.example/x", "‹…›", id="dot escaped"),
        pytest.param("javascript:alert`1`", "‹…›`1`", id="script"),
        pytest.param("data:text/html;base64,PHNjcmlwdD4=", "‹…›", id="data"),
        pytest.param("https%3A%2F%2Fevil.example", "‹…›", id="in percent signs"),
        pytest.param("&#104;ttps://evil.example", "‹…›", id="letter coded"),
        pytest.param("https&colon;&sol;&#x2F;evil.example", "‹…›", id="marks coded"),
        pytest.param("https://еvil.example/ж", "‹…›", id="other script"),
        pytest.param("https://xn--vil-9ma.example", "‹…›", id="other script, coded"),
        pytest.param("https://evil.example]x", "‹…›]x", id="within a bracket"),
        pytest.param("[rent](https://evil.example/?q=1)", "[rent]", id="link"),
        pytest.param("[rent](other.html 'a title').", "[rent].", id="relative link"),
        pytest.param("![](https://evil.example/p.png)", "[]", id="picture"),
        pytest.param(
            "!!![a](https://harbour.example/plan.png)",
            "!! [a](https://harbour.example/plan.png)",
            id="picture behind marks",
        ),
        pytest.param(
            "[rent](other.html)(third.html)", "[rent] (third.html)", id="link behind a link"
        ),
        pytest.param("![a][b]\n\n[b]: //evil.example/p", "[a][b]\n\n[b] : ‹…›", id="by reference"),
        pytest.param("[b]: other.html", "[b] : other.html", id="relative, by reference"),
        pytest.param("x\n> 1. [a\nb]: c.png", "x\n> 1. [a\nb] : c.png", id="in a quoted list"),
        pytest.param("[a](b.html): c.png", "[a] : c.png", id="by reference, behind a link"),
        pytest.param("[www.[b]: c.png", "[‹…›] : c.png", id="by reference, when parts are gone"),
        pytest.param("![a]: c.png", "[a] : c.png", id="by reference, behind a mark"),
        pytest.param("[a](\nb.html)", "[a]", id="link on the next line"),
        pytest.param("[a](</b c>)", "[a]", id="link of two words"),
        pytest.param("[a](/b<img src=x>)", "[a]", id="tag within a link"),
        pytest.param("<tel:48000> <48000@evil.example>", "‹…› ‹…›", id="in angle brackets"),
        pytest.param("[a\\]b]:c.png", "[a\\]b] :c.png", id="bracket in the label"),
        pytest.param("<img src=//evil.example/p>x", "‹…›x", id="HTML picture"),
        pytest.param("<a\nhref='x'>rent</a>", "‹…›rent</a>", id="HTML link"),
        pytest.param("<https://evil.example>", "<‹…›>", id="in angle brackets"),
        pytest.param("https://harbour.example/lease?id=8", "‹…›", id="nearly a known one"),
        pytest.param("https://harbour.example/lease?id=7&q=x", "‹…›", id="more than a known one"),
        pytest.param("https://harbour.example/fees//", "‹…›", id="slashes behind a known one"),
        pytest.param("rent48000.desk.example/a/b", "rent48000.‹…›", id="before a known host"),
    ],
)
def test_addresses_that_no_source_has_are_removed(said: str, expected: str) -> None:
    assert {sent(said, size) for size in range(len(said) + 1)} == {expected}


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("See https://harbour.example/lease?id=7.", id="known address"),
        pytest.param("See https://harbour.example/fees/.", id="known address with a slash"),
        pytest.param("[lease](https://harbour.example/lease?id=7)", id="known, as a link"),
        pytest.param("At harbour.example/fees, or desk.example/a/b", id="known, without a scheme"),
        pytest.param("[table](prices.html)", id="known relative link"),
        pytest.param('<img src="logo.png">', id="known tag"),
        pytest.param("f[1](see the note) [ ] ]() !", id="brackets"),
        pytest.param("Wow! a < b, List<String>, <b>bold</b>, x <a> y"[:42], id="angle brackets"),
        pytest.param("10:30, and/or, 1/2, km/h, e.g./i.e., 3.5/7, a//b", id="slashes"),
        pytest.param("data: h, w. www. http: Note:", id="openings alone"),
        pytest.param("As [the note]: it says so", id="a bracket and a colon"),
        pytest.param("x<y, a <b: c> and <jo@harbour.example>", id="known mail address"),
        pytest.param("A & B &amp; &lt;b&gt; R&D;", id="ampersands"),
        pytest.param("Ends here.The next", id="no blank behind the end"),
    ],
)
def test_other_text_stays(said: str) -> None:
    assert {sent(said, size) for size in range(len(said) + 1)} == {said}


def test_picture_that_a_source_has_becomes_a_link() -> None:
    known = "[plan](https://harbour.example/plan.png)"

    assert sent(f"!{known}") == known


def test_words_do_not_wait() -> None:
    text = OutgoingText(SOURCES)
    words = ["The", " rent", " is", " 1,250.50", " EUR", ".", " Harbour", " and", " that", "\n"]

    assert [text.feed(word) for word in words] == words


def test_nothing_of_an_address_goes_out_before_it_is_decided() -> None:
    text = OutgoingText(SOURCES)

    out = [
        text.feed(part) for part in ("See h", "tt", "ps:/", "/har", "bour.example/", "x", " now")
    ]

    assert out == ["See ", "", "", "", "", "", "‹…› now"]


def test_endless_address_takes_no_memory() -> None:
    text = OutgoingText(SOURCES)
    text.feed("https://evil.example/")

    out = [text.feed("x" * 1000) for _ in range(50)]

    assert set(out) == {""}
    assert len(text._held) < 2 * LONGEST_ADDRESS
    assert text.feed("... and") + text.close() == "‹…›... and"


@pytest.mark.parametrize("begun", ["[a](", "<img "])
def test_what_is_never_closed_goes_on_at_some_time(begun: str) -> None:
    words = "word " * 1000

    out = sent(f"{begun}{words}\nThe end.", 7)

    assert out.endswith(f"{words}\nThe end.")


PIECES = """
http https :// // www. evil.example / ? = & &#104; &colon; ttps : ! [ ] ]: ]( ) < img a > src data:
[rent](</x y>) <tel:1> <x@y.z> > - 1. \r . , javascript:
\\ h ht w d words https://harbour.example/lease?id=7 é 中
"""
HOSTILE = st.lists(st.sampled_from([*PIECES.split(), " ", "\n"]), max_size=30)


@given(HOSTILE, st.randoms())
def test_cuts_between_parts_change_nothing(pieces: list[str], chance: Random) -> None:
    said = "".join(pieces)
    cuts = sorted(chance.sample(range(len(said) + 1), min(5, len(said))))
    text = OutgoingText(SOURCES)

    parts = [said[a:b] for a, b in zip([0, *cuts], [*cuts, len(said)], strict=True)]

    assert "".join([*map(text.feed, parts), text.close()]) == sent(said)


@given(HOSTILE)
@example(["<", "https://harbour.example/lease?id=7", "/", ">"])
@settings(max_examples=500)
def test_where_markdown_is_shown_nothing_leads_elsewhere(pieces: list[str]) -> None:
    shown = MarkdownIt("commonmark").render(sent("".join(pieces)))

    # An address is known with and without one slash at its end.
    places = {place.removesuffix("/") for place in re.findall(r'(?:href|src)="([^"]*)"', shown)}
    assert places <= {"", "prices.html", "https://harbour.example/lease?id=7"}


@given(HOSTILE)
@example(["https://harbour.example/lease?id=7", "//", "."])
def test_no_unknown_address_goes_out(pieces: list[str]) -> None:
    whole = sent("".join(pieces))
    out = whole.replace("https://harbour.example/lease?id=7", "·")

    assert not re.search(r"(?<![\w/\\])//[^\s/]|(?<![a-z0-9])(?:https?|data|javascript):\S", out)
    assert not re.search(r"(?<![a-z0-9])www\.\S|!\[|<img\s", out)
    assert not re.search(r"^[ >*+.)\d-]*\[(?:[^\[\]\\]|\\.)*\]:", whole, re.MULTILINE)
