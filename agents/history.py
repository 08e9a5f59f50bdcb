"""What was said before in a conversation, as far as the next question needs it."""

from collections.abc import Sequence
from dataclasses import dataclass

MAX_TURNS = 6
MAX_CHARACTERS = 6000


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of the conversation with the answer it was given."""

    query: str
    response: str


def latest_turns(turns: Sequence[Turn], room_characters: int = MAX_CHARACTERS) -> list[Turn]:
    """Return the latest turns that fit, oldest first; at most MAX_CHARACTERS whatever the room."""
    kept: list[Turn] = []
    room = min(room_characters, MAX_CHARACTERS)
    for turn in reversed(turns[-MAX_TURNS:]):
        room -= len(turn.query) + len(turn.response)
        if room < 0:
            break
        kept.append(turn)
    return kept[::-1]
