"""Find the language of a text, as keyword search has to know it.

The languages are those of the Snowball stemmers. The model comes inside its package; it is loaded
by the first text, which takes a second or two and some 45 MB, so only where documents are read.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, TypeVar

from indexing.memory import give_back

if TYPE_CHECKING:
    from array import array

    from py3langid.langid import LanguageIdentifier

T = TypeVar("T")

DEFAULT_LANGUAGE = "english"
"""What a text counts as that is too short or too odd to tell."""

OTHER_LANGUAGE = "other"
"""A language in Latin letters for which there is no stemmer: its words stay as they are."""

_STEMMED = {
    **{"ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german"},
    **{"el": "greek", "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian"},
    **{"eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish"},
    **{"hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian"},
    **{"lt": "lithuanian", "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian"},
    **{"pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian"},
    **{"st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish"},
    # Near enough to a language that has a stemmer, and often taken for it.
    **{"bs": "serbian", "hr": "serbian", "ms": "indonesian"},
}
_UNSTEMMED_LATIN = ("af", "az", "cy", "is", "lv", "mt", "sk", "sl", "sq", "sw", "tl", "vi")
# No stemmer changes a word in these scripts. The words in Latin letters that stand between them
# are English more often than not.
_OTHER_SCRIPTS = (
    *("am", "be", "bg", "bn", "gu", "he", "ja", "ka", "kk", "km", "kn", "ko", "lo", "mk", "ml"),
    *("mn", "mr", "my", "pa", "si", "te", "th", "uk", "ur", "zh"),
)
_LANGUAGES = {
    **_STEMMED,
    **dict.fromkeys(_UNSTEMMED_LATIN, OTHER_LANGUAGE),
    **dict.fromkeys(_OTHER_SCRIPTS, DEFAULT_LANGUAGE),
}

_SAMPLES = 20
_SAMPLE_LENGTH = 300
_FEWEST_LETTERS = 20
_LEAST_CONFIDENCE = 0.4
_NUMBERS = re.compile(r"[\d_]+(?:[\W\d_]+[\d_]+)*")


def load_identifier() -> None:
    """Load what the first text would have to wait for."""
    _identifier()
    give_back()  # the rest of the model


def language_of(texts: Sequence[str]) -> str:
    """Return the language most of the text is in, judged by samples from all over it."""
    sample = " ".join(text[:_SAMPLE_LENGTH] for text in sampled(texts))
    letters = _NUMBERS.sub(" ", sample)
    if len(letters) < _FEWEST_LETTERS:
        return DEFAULT_LANGUAGE
    code, confidence = _identifier().classify(letters)
    return _LANGUAGES[code] if confidence >= _LEAST_CONFIDENCE else DEFAULT_LANGUAGE


def sampled(parts: Sequence[T]) -> Sequence[T]:
    """Return those parts of a document, from all over it, by which its language is told."""
    return parts[:: max(1, len(parts) // _SAMPLES)][:_SAMPLES]


@lru_cache(maxsize=1)
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    whole = LanguageIdentifier.from_model_file(MODEL_FILE)
    whole.set_languages(list(_LANGUAGES))
    # One of its own for these languages: the whole would keep 28 MB for all the others.
    return LanguageIdentifier(
        whole.nb_ptc,
        whole.nb_pc,
        whole.nb_classes,
        _in_a_file(whole.tk_nextmove),
        whole.tk_output,
        norm_probs=True,
        tk_row=whole.tk_row,
    )


def _in_a_file(table: "array[int]") -> memoryview:
    """Move a table to a file without a name: what nobody looks at takes no memory.

    Of these 39 MB a text looks at 3, around which the system takes 16 in.
    """
    with TemporaryFile() as file:
        table.tofile(file)
        file.flush()
        return memoryview(mmap(file.fileno(), 0, access=ACCESS_READ)).cast("I")
