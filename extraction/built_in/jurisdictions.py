"""Whose law holds: agreements say it in set phrases."""

import re
from collections.abc import Iterator, Sequence

from extraction.built_in.layout import Passage
from extraction.built_in.mentions import Mention

_PLACE = r"[A-Z][\w-]*(?: (?:and |of (?:the )?)?[A-Z][\w-]*){0,3}"
_TERRITORY = (
    r"(?:(?:[Tt]he |THE )?(?:[Ss]tate|STATE|[Cc]ommonwealth|[Pp]rovince|[Rr]epublic|[Kk]ingdom|"
    r"Federal Republic|[Cc]anton|[Cc]ity) (?:of|OF) |the )?"
)
_LAWS = re.compile(
    r"\b(?:[Ll]aws?|LAWS?|[Cc]ourts?|[Rr]ules),?(?: and [\w ,]{1,40}?| \([^)]{0,80}\))?,?"
    rf" (?:of|OF|in|in force in) {_TERRITORY}(?P<place>{_PLACE})"
    rf"|\b[Ss]tate of (?P<state>{_PLACE})"
    rf"|\b(?P<adjective>{_PLACE}) [Ll]aw\b"
    rf"|\bRecht der (?P<german>{_PLACE})"
)
_NOT_A_PLACE = re.compile(
    r"^(?:The|Any|This|Applicable|Such|Federal|State|Governing|Common|Internal|Securities|Bankruptcy|"
    r"Jurisdiction|Conflicts?|Exchange|Agreement|Section|Choice|Parties|Company|Both|Each|Other)\b"
)
_BEHIND_A_PLACE = re.compile(
    r" (?:State|[Ll]aw|APPLICABLE|WITHOUT|EXCLUDING|EXCEPT|SHALL|AND|TO|IN|AS|WITH|OTHER)\b.*"
)
_GOVERNS = re.compile(
    r"govern|constru|interpret|gerichtsstand|recht|droit|apply|applies", re.IGNORECASE
)


def jurisdictions(passages: Sequence[Passage]) -> Iterator[Mention]:
    """Yield the places whose law is spoken of: "the laws of the State of Ohio" is Ohio."""
    for passage in passages:
        for match in _LAWS.finditer(passage.text):
            group = match.lastgroup or "place"
            start = match.start(group)
            place = _BEHIND_A_PLACE.sub("", match[group])
            if _NOT_A_PLACE.match(place):
                continue
            mention = Mention(passage, start, start + len(place), place)
            governs = _GOVERNS.search(mention.around.sentence) is not None
            yield Mention(passage, start, start + len(place), place, form=float(governs))
