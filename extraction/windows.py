"""Which pages a model reads for which fields: few calls, and a bounded number of tokens.

A document that fits into a call is read whole. Of a longer one each field gets the pages that are
retrieved for it; only for what is not found there all other pages are read.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from extraction.types import RequestedField, SourcePages
from indexing.evidence import page_text
from indexing.types import Chunk

WINDOW_TOKENS = 32_000
"""The most of documents that one call reads; models overlook things in longer prompts."""

TOTAL_TOKENS = 400_000
"""The most of documents that an extraction reads in all, a page read twice counted twice."""

PIECE_TOKENS = 2_000
"""A page of more is read in pieces; the pages of a spreadsheet have no end."""

FIELDS_PER_CALL = 25

ANSWER_TOKENS = 8_000
"""The most a model may say in one answer, what it thinks before included."""

FIELD_ANSWER_TOKENS = 150
"""What the answer for a field takes, its quote included."""

CHUNKS_PER_FIELD = 8
"""How many passages are retrieved for a field; their pages are what is read."""

PAGES_PER_FIELD = 4

_BYTES_PER_TOKEN = 3
_INSTRUCTION_TOKENS = 600

Retrieve = Callable[[str, int, Sequence[str]], Awaitable[list[Chunk]]]
"""Returns the best chunks for a query, so many of them, from these data sources."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may hold, in tokens; half of a small window is left for all but documents."""

    document: int
    fields: int
    answer: int

    @classmethod
    def of(cls, context_window: int) -> "Limits":
        """Return the limits for a model that takes so many tokens, its answer included."""
        answer = min(ANSWER_TOKENS, context_window // 4)
        fields = min(ANSWER_TOKENS, context_window // 4)
        document = context_window - answer - fields - _INSTRUCTION_TOKENS
        return cls(max(min(document, WINDOW_TOKENS), PIECE_TOKENS), fields, answer)


@dataclass(frozen=True, slots=True)
class Piece:
    """A page, or a part of a long one, as a model reads it."""

    position: int  # among all pieces
    source: int  # the position of the source
    data_source_id: str
    file_name: str
    page_number: int  # 1-based, or NO_PAGE
    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Window:
    """One call: what is asked, and what is read for it."""

    fields: tuple[RequestedField, ...]
    pieces: tuple[Piece, ...]  # in reading order


def pieces_of(sources: Sequence[SourcePages]) -> list[Piece]:
    """Return all pages of the sources that have text, in reading order."""
    pieces: list[Piece] = []
    for number, source in enumerate(sources):
        for page in source.pages:
            for text in _cut(page_text(page).text):
                pieces.append(
                    Piece(
                        len(pieces),
                        number,
                        source.data_source_id,
                        source.file_name,
                        page.number,
                        text,
                        tokens_of(text),
                    )
                )
    return pieces


def tokens_of(text: str) -> int:
    """Return about how many tokens a text has, rather too many; no language has more."""
    return len(text.encode(errors="replace")) // _BYTES_PER_TOKEN + 1


def groups_of(
    fields: Sequence[RequestedField], limits: Limits
) -> Iterator[tuple[RequestedField, ...]]:
    """Yield the fields in groups that one call can ask for."""
    group: list[RequestedField] = []
    for field in fields:
        if group and not _may_be_asked([*group, field], limits):
            yield tuple(group)
            group = []
        group.append(field)
    if group:
        yield tuple(group)


def windows_over(
    fields: Sequence[RequestedField], pieces: Sequence[Piece], limits: Limits
) -> Iterator[Window]:
    """Yield the windows in which all pieces are read for all fields, group by group."""
    for group in groups_of(fields, limits):
        window: list[Piece] = []
        tokens = 0
        for piece in pieces:
            if window and tokens + piece.tokens > limits.document:
                yield Window(group, tuple(window))
                window, tokens = [], 0
            window.append(piece)
            tokens += piece.tokens
        if window:
            yield Window(group, tuple(window))


def windows_by_choice(
    chosen: Mapping[RequestedField, Sequence[Piece]], limits: Limits
) -> list[Window]:
    """Return windows in which each field has the pieces chosen for it; fields share what fits.

    A field joins the first window that still takes it and the pieces which that lacks.
    """
    groups: list[tuple[list[RequestedField], dict[int, Piece]]] = []
    for field, pieces in chosen.items():
        wanted = {piece.position: piece for piece in pieces}
        for fields, held in groups:
            fits = sum(piece.tokens for piece in (held | wanted).values()) <= limits.document
            if fits and _may_be_asked([*fields, field], limits):
                fields.append(field)
                held.update(wanted)
                break
        else:
            groups.append(([field], wanted))
    return [
        Window(tuple(fields), tuple(held[position] for position in sorted(held)))
        for fields, held in groups
    ]


async def choose_pieces(
    field: RequestedField, pieces: "PiecesByPage", retrieve: Retrieve, limits: Limits
) -> list[Piece]:
    """Return the pieces that the passages retrieved for a field stand in, the best first."""
    query = f"{field.name} {field.description}".strip()
    chunks = await retrieve(query, CHUNKS_PER_FIELD, pieces.data_source_ids)
    chosen: dict[int, Piece] = {}
    tokens = 0
    for chunk in chunks:
        piece = pieces.of(chunk)
        if piece is None or piece.position in chosen:
            continue
        tokens += piece.tokens
        if chosen and (tokens > limits.document or len(chosen) == PAGES_PER_FIELD):
            break
        chosen[piece.position] = piece
    return list(chosen.values())


class PiecesByPage:
    """The pieces by the pages they are from, to find that of a chunk."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._by_page: dict[tuple[str, int], list[Piece]] = {}
        for piece in pieces:
            place = (piece.data_source_id, piece.page_number)
            self._by_page.setdefault(place, []).append(piece)
        self.data_source_ids = tuple(dict.fromkeys(one for one, _ in self._by_page))

    def of(self, chunk: Chunk) -> Piece | None:
        """Return the piece a chunk stands in, None if its page is none of those to be read."""
        pieces = self._by_page.get((chunk.data_source_id, chunk.page_number), [])
        if len(pieces) < 2:
            return pieces[0] if pieces else None
        # The chunk of a table begins with its header, which stands elsewhere: its last line is its
        # own.
        last_line = chunk.content.rstrip().rpartition("\n")[2]
        return next((piece for piece in pieces if last_line in piece.text), pieces[0])


def _may_be_asked(fields: Sequence[RequestedField], limits: Limits) -> bool:
    """Tell whether question and answer of one call take these fields."""
    return (
        len(fields) <= FIELDS_PER_CALL
        and len(fields) * FIELD_ANSWER_TOKENS <= limits.answer
        and sum(map(_field_tokens, fields)) <= limits.fields
    )


def _field_tokens(field: RequestedField) -> int:
    """Return what asking for a field takes: it stands in the prompt and in the schema."""
    options = "".join(map(str, field.options))
    return 2 * (tokens_of(field.name + field.description + options) + 30)


def _cut(text: str) -> Iterator[str]:
    """Yield a text in pieces of whole lines; only a line longer than a piece is cut."""
    longest = PIECE_TOKENS * _BYTES_PER_TOKEN
    piece: list[str] = []
    size = 0
    for line in text.split("\n"):
        for start in range(0, len(line), longest) or (0,):
            part = line[start : start + longest]
            part_size = len(part.encode(errors="replace")) + 1
            if piece and size + part_size > longest:
                yield "\n".join(piece)
                piece, size = [], 0
            piece.append(part)
            size += part_size
    if any(line.strip() for line in piece):
        yield "\n".join(piece)
