"""Say why a document cannot be read, to the one who uploaded it."""

import zipfile
import zlib

MAY_HELP = "saving it anew in its own program may help"
GAVE_UP = f"the file cannot be read; {MAY_HELP}"
DAMAGED = "the file is damaged; upload an intact copy, or save it anew in its own program"
NESTED = "the parts of the file are nested too deeply; save it anew in its own program"
NO_BODY = "the file has no text body; save it anew in its own program"

TOO_MUCH = "upload it in smaller parts, or saved in a simpler form"
"""What to do where reading took more time or memory than there is, be it the document or a page."""

_OF_XML = {
    "entity": "the XML of the file has texts that multiply (entities); "
    "save it anew in its own program",
    "depth": NESTED,
    "too long": "one text in the XML of the file is too long; save it anew in its own program",
    "limit": "one text in the XML of the file is too long; save it anew in its own program",
    "": "the XML of the file is damaged; upload an intact copy, or save it anew in its own program",
}
"""What to say where an error of the parser has one of these words, the first that it has."""

_OF_DAMAGE = (zipfile.BadZipFile, zlib.error)
_NAMES_OF_DAMAGE = ("CalamineError", "PanicException")  # a panic of a library in Rust


class DocumentUnreadable(Exception):
    """The document cannot be read; the message says why to the one who uploaded it."""


def reason_of(error: BaseException) -> str:
    """Say what made a reader give up.

    What an error of a library says is for whoever knows that library; it goes to the log.
    """
    if isinstance(error, DocumentUnreadable):
        return str(error)
    if isinstance(error, RecursionError):
        return NESTED
    # By their names, since to import the parsers takes a while, and this is not about them alone.
    if isinstance(error, _OF_DAMAGE) or type(error).__name__ in _NAMES_OF_DAMAGE:
        return DAMAGED
    if type(error).__name__ == "XMLSyntaxError":
        return next(reason for word, reason in _OF_XML.items() if word in str(error))
    return GAVE_UP
