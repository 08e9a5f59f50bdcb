"""Names of organisations: by their legal form, and among the first lines of a page."""

import re
from collections.abc import Iterator, Sequence

from extraction.built_in.addresses import names_a_place
from extraction.built_in.concepts import Concept, concepts
from extraction.built_in.layout import Passage
from extraction.built_in.mentions import Mention

LETTERHEAD_LINES = 12
"""Passages at the head of a page among which an organisation introduces itself."""

LONGEST_NAME = 70

LEGAL_FORM = re.compile(
    r"(?:\b(?:S(?:dn|DN)\.? ?B(?:hd|HD)|S/B|SB|Inc|INC|Incorporated|INCORPORATED|Corp|CORP|"
    r"Corporation|CORPORATION|L\.?L\.?C|L\.?L\.?P|L\.?P|Ltd|LTD|Limited|LIMITED|PLC|plc|Co|CO|Company|GmbH|mbH|AG|KG|"
    r"OHG|UG|SE|S\.?A\.?S?|S\.?A\.?R\.?L|SARL|B\.?V|N\.?V|S\.?p\.?A|S\.?r\.?l|A/S|ApS|AB|Oy|"
    r"Pte|Pty|Pvt|e\.? ?V|Enterprise|ENTERPRISE|Holdings|Partners|LLC|LLP|LP)\b(?! of\b)\.?"
    r"(?:[ ,]+(?:Ltd|LTD|Limited|LIMITED|Inc|INC|Co|KG|LP|L\.P|LLC|L\.L\.C)\b\.?)?)"
)
_CAPITALISED = r"(?:[A-Z0-9][\w.'’&°-]*|&|\+)"
_NAME = re.compile(
    rf"(?<![\w@]){_CAPITALISED}(?: (?:(?:of|the|de|für|for) )?{_CAPITALISED}){{0,7}}?,?"
    rf"[ /]*{LEGAL_FORM.pattern}"
)
_REGISTRATION = re.compile(
    r"[\s,:-]*\(?\b(?:Co\.? ?(?:Reg\.? ?)?No\.?:?)?\s*\(?[A-Z]{0,3}\d{4,}[\w-]*-?[A-Z]?\)?[\s.)]*$"
)
_LEADING_ARTICLE = re.compile(r"^(?:(?:The|THE|AND|And|BETWEEN|Between|By|BY) )+")
_LETTERS = re.compile(r"[^\W\d_]")
# A line of these speaks of something else than who it is from.
_NOT_A_NAME = frozenset(Concept) - {
    Concept.ORGANISATION,
    Concept.SELLER,
    Concept.ORDER,
    Concept.TOTAL,
    Concept.CHANGE,
    Concept.BANK,
    Concept.LAW,
    Concept.TABLE,
    Concept.SERVICE,
    Concept.TIME,
}


def organisations(passages: Sequence[Passage]) -> Iterator[Mention]:
    """Yield names with a legal form, and lines at the head of each source's first page."""
    head: dict[int, int] = {}
    for passage in passages:
        seen = head[passage.source] = head.get(passage.source, 0) + 1
        named = list(with_legal_form(passage))
        yield from named
        if seen <= LETTERHEAD_LINES and not named:
            yield from _line(passage)


def with_legal_form(passage: Passage) -> Iterator[Mention]:
    """Yield the names of a passage that end with a legal form, such as "Ltd."."""
    for match in _NAME.finditer(passage.text):
        start = match.start()
        if article := _LEADING_ARTICLE.match(match[0]):
            start += article.end()
        name = passage.text[start : match.end()]
        if len(name.split()) > 1 and len(name) <= LONGEST_NAME:
            yield Mention(passage, start, match.end(), name.strip(" ,"), form=1.0)


def _line(passage: Passage) -> Iterator[Mention]:
    """Yield a line that may be a name: letters above all, and no label of something else."""
    text = passage.text
    if "|" in text or len(passage.lines) > 1 or len(text) > 2 * LONGEST_NAME:
        return
    name = _REGISTRATION.sub("", text).strip(" .,:;-")
    letters = len(_LETTERS.findall(name))
    if not 3 <= len(name) <= LONGEST_NAME or letters < 0.6 * len(name.replace(" ", "")):
        return
    if ":" in name or concepts(name) & _NOT_A_NAME or names_a_place(text):
        return
    start = text.find(name)
    yield Mention(passage, start, start + len(name), name, form=0.0)
