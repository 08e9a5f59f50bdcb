"""The names of the months in many languages."""

from collections.abc import Mapping
from functools import cache

from babel import Locale

from extraction.values.writing import folded

# Where two languages use one name for two months, the first has it.
_LANGUAGES = (
    *("en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "nb", "fi", "cs", "sk", "hu"),
    *("ro", "tr", "el", "ru", "uk", "bg", "hr", "sl", "et", "lv", "lt", "ca", "id", "ms", "vi"),
)
_ALSO = {"sept": 9, "mrz": 3, "jaenner": 1, "janner": 1, "maerz": 3, "setiembre": 9}


@cache
def month_names() -> Mapping[str, int]:
    """Return the months, 1 to 12, by their names and abbreviations, folded and without a dot."""
    names = dict(_ALSO)
    for language in _LANGUAGES:
        for width in ("wide", "abbreviated"):
            for context in ("format", "stand-alone"):
                for month, name in Locale.parse(language).months[context][width].items():
                    names.setdefault(folded(name).rstrip("."), month)
    return {name: month for name, month in names.items() if name[0].isalpha()}
