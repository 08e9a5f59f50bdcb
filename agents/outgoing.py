"""Keep links and pictures that no passage has out of an answer, while it streams.

Whoever writes a document can ask the model to put what it reads into an address: a picture would
send it as soon as the answer is shown, a link when it is clicked. So an address goes out only when
it occurs, as a whole, in the passages that the model was given. Besides:

* `[words](address)` becomes `[words]`, a bare address becomes `REMOVED`.
* A picture never goes out as one: `![words](address)` becomes a link, or `[words]`.
* `[words]: address` at the start of a line, which elsewhere makes a link or picture of the words,
  is parted: `[words] : address`.
* HTML that can load or lead anywhere, and `<scheme:…>`, go out only as a passage has them, letter
  for letter.
* An address without a scheme (`host.tld/path`) is cut behind the first dot.
"""

import html
import re
from collections.abc import Iterator, Sequence

REMOVED = "‹…›"  # In other brackets it could itself become the words of a link.
LONGEST_ADDRESS = 2_000
"""In characters; a longer one is removed whatever the passages have."""

LONGEST_TAG = 500
LONGEST_HOST = 100
LONGEST_LABEL = 1_000  # of a link by reference; CommonMark has one sign less

_SCHEMES = "https, http, ftp, file, data, javascript, vbscript, blob, mailto, wss, ws"
_OPENINGS = [
    *(scheme + colon for scheme in _SCHEMES.split(", ") for colon in (":", "%3a")),
    "www.",
    "www\\.",  # the dot as Markdown may escape it
]
_BEGUN = frozenset(opening[:end] for opening in _OPENINGS for end in range(1, len(opening) + 1))
_TAGS = (
    "a|animate|applet|area|audio|base|body|button|embed|form|frame|iframe|image|img|input|link|math"
    "|meta|object|picture|script|set|source|style|svg|table|td|th|track|use|video"
)
# `<scheme:…>` and `<name@host>`; those of the web are judged by what is in the brackets.
_AUTOLINK = r"(?!https?:)[a-z][a-z0-9+.-]{1,31}:|[^\s<>@]{1,64}@"
_LABEL = r"[\w-]{1,30}"
_START = re.compile(
    r"(?P<picture>!(?=\[))"
    r"|(?P<target>\]\()"
    r"|(?P<definition>\]:)"
    rf"|(?P<tag><(?:(?:{_TAGS})(?=[\s/>])|{_AUTOLINK}))"
    rf"|(?P<url>(?<![A-Za-z0-9])(?:{'|'.join(map(re.escape, _OPENINGS))})(?=\S)"
    r"|(?<![\w/\\])//(?=[^\s/]))"
    rf"|(?P<host>(?<=[^\W_]\.)(?=[^\W\d_])(?:{_LABEL}\.){{0,4}}[^\W\d_]{{2,24}}(?::\d{{1,5}})?"
    r"(?:/[?#]|[/?#])(?=[^\s/?#]))",
    re.IGNORECASE,
)
# The end of a text from which one of these may yet begin.
_UNDECIDED = re.compile(
    rf"(?:(?<=[^\W_]\.)(?=[^\W\d_])(?:{_LABEL}\.){{0,4}}[\w-]{{0,30}}(?::\d{{0,5}})?(?:/[?#]?|[?#])?"
    r"|(?<![A-Za-z0-9])(?P<opening>[a-z]{1,10}(?:[:.]|\\\.?|%3?a?)?)"
    r"|!|\]|<[^\s<>]{0,65}|(?<![\w/\\])//?)\Z",
    re.IGNORECASE,
)
_LABEL_BEGUN = re.compile(r"(?:\A|[\n\r])[ \t!>*+\-\d.)]*\[(?:[^\[\]\\]|\\.)*\Z", re.DOTALL)
_URL_END = re.compile(r"[\s<>\"'`|)\]}，。、；！？」』）》]")
_BEHIND_A_URL = re.compile(r"[.,;:!?*_~]{0,3}\Z")
_HOST_SO_FAR = re.compile(r"[\w.-]*\Z")
_TARGET_START = re.compile(r"[ \t]*(?:\r\n?|\n)?[ \t]*")
_TWO_WORDS = re.compile(r"[^\s)<]+[ \t]+[^\s)\"'(<]")
_TARGET_END = re.compile(r"[)\n\r]")
_IN_ANGLES = re.compile(r"<([^<>]*)>")
_TARGET = re.compile(r"\s*<?([^\s<>)]*)")
_TAG_END = re.compile(r"[<>]")
_OPTIONAL_START = re.compile(r"^(?:https?:)?(?://)?(?:www\.)?", re.IGNORECASE)
# What reads as another sign where Markdown or HTML is shown, so that nothing hides behind it.
_CODED = re.compile(
    r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|colon|sol|bsol|period|dot|quest|num|excl|lpar|rpar|lsqb|lbrack"
    r"|rsqb|rbrack|percnt|Tab|NewLine);",
    re.IGNORECASE,
)
_CODED_BEGUN = re.compile(r"&#?\w{0,8}\Z")
_STAYS_CODED = "<>&\"'"


class OutgoingText:
    """Passes an answer on without the addresses that are not in the sources.

    However the text is cut into parts, the same goes out. What may become an address is held back
    until it is decided, and never more than `LONGEST_ADDRESS` and a few characters of it.
    """

    def __init__(self, sources: Sequence[str]) -> None:
        self._sources = [_CODED.sub(_sign, source) for source in sources]
        self._known: frozenset[str] | None = None  # read when the first address comes
        self._coded = ""
        self._held = ""
        self._before = ""  # the end of what stands in front of what is held
        self._sent = ""  # the end of what has gone out, which may lack some of that
        self._sending: list[str] = []

    def feed(self, delta: str) -> str:
        """Return what can go out now."""
        if self._coded or "&" in delta:
            delta = self._decode(delta, final=False)
        return self._scan(self._held + delta, final=False)

    def close(self) -> str:
        """Return what was held back and is no address."""
        return self._scan(self._held + self._decode("", final=True), final=True)

    def _decode(self, delta: str, *, final: bool) -> str:
        """Write coded signs out, so that `&#104;ttps:` is seen for what it is."""
        text = _CODED.sub(_sign, self._coded + delta)
        begun = None if final else _CODED_BEGUN.search(text)
        end = begun.start() if begun else len(text)
        self._coded = text[end:]
        return text[:end]

    def _scan(self, new: str, *, final: bool) -> str:
        text, at = self._before + new, len(self._before)
        out = self._sending = []
        held = ""
        while match := _START.search(text, at):
            out.append(text[at : match.start()])
            at = match.start()
            decided = _DECIDE[match.lastgroup or ""](self, match, final)
            if decided is None:
                held = _shortened(text[at:])
                break
            goes_out, at = decided
            out.append(goes_out)
        else:
            end = len(text) if final else _undecided(text, at)
            out.append(text[at:end])
            held, at = text[end:], end
        self._held, self._before = held, text[max(0, at - LONGEST_HOST) : at]
        sent = "".join(out)
        self._sent = (self._sent + sent)[-LONGEST_LABEL:]
        return sent

    def _decide_picture(self, match: re.Match[str], final: bool) -> tuple[str, int]:
        # Of several exclamation marks the ones before have gone out.
        return " " if match.string[: match.start()].endswith("!") else "", match.end()

    def _decide_target(self, match: re.Match[str], final: bool) -> tuple[str, int] | None:
        """Keep `](address)` when its address is known, else only the bracket of the words."""
        text = match.string
        begin = _TARGET_START.match(text, match.end())
        start = begin.end() if begin else match.end()
        if _TWO_WORDS.match(text, start):
            return "](", match.end()  # It is no link.
        found = _TARGET_END.search(text, start)
        if found is None and not final:
            return None
        end = found.start() if found else len(text)
        target = text[start:end]
        in_angles = _IN_ANGLES.match(target)
        address = in_angles[1] if in_angles else (target.split(maxsplit=1) or [""])[0]
        if len(target) <= LONGEST_ADDRESS and self._knows(address):
            return "](", match.end()
        behind = end + 1 if text[end : end + 1] == ")" else end
        if behind == len(text) and not final:
            return None
        # Brackets behind it, or what follows a colon, would else become the address.
        return "] " if text[behind : behind + 1] in ("(", ":") else "]", behind

    def _decide_definition(self, match: re.Match[str], final: bool) -> tuple[str, int]:
        before = "".join([self._sent, *self._sending])[-LONGEST_LABEL:]
        return "] :" if _LABEL_BEGUN.search(before) else "]:", match.end()

    def _decide_tag(self, match: re.Match[str], final: bool) -> tuple[str, int] | None:
        text, start = match.string, match.start()
        found = _TAG_END.search(text, match.end())
        if found is None and not final and len(text) - start <= LONGEST_TAG:
            return None
        if found is None or text[found.start()] == "<" or found.end() - start > LONGEST_TAG:
            return "‹", start + 1  # It is no tag, and must not become one.
        tag = text[start : found.end()]
        return tag if any(tag in source for source in self._sources) else REMOVED, found.end()

    def _decide_url(self, match: re.Match[str], final: bool) -> tuple[str, int] | None:
        text, start = match.string, match.start()
        found = _URL_END.search(text, start)
        if found is None and not final:
            return None
        address = _without_end_marks(text[start : found.start() if found else len(text)])
        known = self._knows(_host_so_far(match) + address)
        return address if known else REMOVED, start + len(address)

    def _knows(self, address: str) -> bool:
        """Tell whether a source has the address; relative ones are known by `[words](address)`."""
        if len(address) > LONGEST_ADDRESS:
            return False
        if self._known is None:
            self._known = frozenset(one for text in self._sources for one in _addresses(text))
        return not address or _compared(address) in self._known


_DECIDE = {
    "picture": OutgoingText._decide_picture,
    "target": OutgoingText._decide_target,
    "definition": OutgoingText._decide_definition,
    "tag": OutgoingText._decide_tag,
    "url": OutgoingText._decide_url,
    "host": OutgoingText._decide_url,
}


def _undecided(text: str, at: int) -> int:
    """Return from where on the text may yet become an address."""
    while match := _UNDECIDED.search(text, at):
        opening = match["opening"]
        if opening is None or opening.lower() in _BEGUN:
            return match.start()
        at = match.start() + 1
    return len(text)


def _shortened(held: str) -> str:
    """Leave the middle out of what is too long to go out anyway."""
    kept = LONGEST_ADDRESS + 10
    if len(held) <= kept + 10:
        return held
    return f"{held[:kept]}x{held[len(_without_end_marks(held)) :]}"


def _without_end_marks(address: str) -> str:
    """Leave out the marks behind an address that belong to the sentence around it."""
    return _BEHIND_A_URL.sub("", address, count=1)


def _host_so_far(match: re.Match[str]) -> str:
    """Return what has gone out of a host already, when the match begins within it."""
    if match.lastgroup != "host":
        return ""
    text, end = match.string, match.start()
    begun = _HOST_SO_FAR.search(text[max(0, end - LONGEST_HOST) : end])
    return begun[0] if begun else ""


def _addresses(source: str) -> Iterator[str]:
    """Yield the addresses of a source, each as it is compared."""
    for match in _START.finditer(source):
        if match.lastgroup == "target":
            target = _TARGET.match(source, match.end())
            yield _compared(target[1] if target else "")
        elif match.lastgroup in ("url", "host"):
            end = _URL_END.search(source, match.start())
            address = source[match.start() : end.start() if end else len(source)]
            yield _compared(_host_so_far(match) + _without_end_marks(address))


def _compared(address: str) -> str:
    """Forget what an address can be written with or without."""
    # Of the slashes at its end one, for a row of them could tell a number.
    return _OPTIONAL_START.sub("", address).removesuffix("/")


def _sign(coded: re.Match[str]) -> str:
    sign = html.unescape(coded[0])
    return coded[0] if not sign.isascii() or sign in _STAYS_CODED else sign
