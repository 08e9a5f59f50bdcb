"""What a question asks for (a date, a number, a place, a person), and what an answer looks like."""

import re

# A word with a capital that does not merely begin a sentence.
NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-Z][\w-]*")
NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
MEASURE_ASKED = re.compile(
    r"\bhow (?:many|much|long|old|far|high|large|big|tall|often|wide|deep)\b"
    r"|\bwie (?:alt|hoch|lang|oft|weit)\b"
    r"|\b(?:wie ?viele?|combien|cu[aá]nt[oa]s?|quant[aeio]s?)\b",
    re.I,
)

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_COUNTS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|"
    "hundred|thousand|million|billion|half|third|quarter|dozen|first|second|twice"
)
# A year within a number like 2018-23-51 is none.
_SOME_DATE = re.compile(
    rf"(?<!\d[–-])\b(?:1\d{{3}}|20\d\d)s?\b(?![–-]\d+[–-])|\b(?:{_MONTHS})\b"
    r"|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\b\d{4}-\d\d-\d\d\b|\bcentur(?:y|ies)\b"
)
_SOME_NUMBER = re.compile(rf"\d[\d.,]*|\b(?:{_COUNTS})\b", re.I)
_SOMEBODY = re.compile(
    rf"{NAME.pattern}|\b(?:an?|by|its|the|their) [a-z]+(?:ant|ee|ent|er|ian|ist|lord|man|or)s?\b"
)
_EXPECTED = (
    (
        re.compile(
            r"\b(?:when|wann|quand|cu[aá]ndo|quando)\b|\bhow long ago\b"
            r"|\b(?:what|which) (?:\w+ )?(?:year|date|day|month|century|decade|time)\b",
            re.I,
        ),
        _SOME_DATE,
    ),
    (
        re.compile(
            rf"{MEASURE_ASKED.pattern}|\b(?:what|which) (?:\w+ )?"
            r"(?:percent|percentage|number|amount|price|cost|age|rent|total|fee|sum|rate)\b",
            re.I,
        ),
        _SOME_NUMBER,
    ),
    (
        re.compile(
            r"\b(?:where|wo|où|d[oó]nde|dove|onde)\b"
            r"|\b(?:what|which) (?:\w+ )?(?:person|man|woman|company|team|name|city|"
            r"country|town|state|region|street|island|continent|nation)\b",
            re.I,
        ),
        NAME,
    ),
    (re.compile(r"\b(?:who(?:m|se)?|we[rmn]|qui|qui[eé]n(?:es)?|chi|quem)\b", re.I), _SOMEBODY),
)

_BROAD = re.compile(
    r"^\W*(?:list|summar|describe|explain|outline|compare|tell me|give|name (?:all|the|some))"
    r"|\bwhat (?:are|were|happen|kinds?|types?|steps)|\bhow (?:do|does|did|is|are|can|should)\b"
    r"|\b(?:why|warum|pourquoi|perché)\b|\bwhich \w+s\b|\ball (?:the|of)\b|\boverview\b",
    re.I,
)


def expected_answer(question: str) -> re.Pattern[str] | None:
    """Return what an answer holds, as a pattern; None where the question does not tell."""
    return next((answer for asks, answer in _EXPECTED if asks.search(question)), None)


def is_broad(question: str) -> bool:
    """Tell whether a question may need several sentences: reasons, lists, summaries."""
    return _BROAD.search(question) is not None
