"""Say why a document cannot be read, to the one who uploaded it."""

GAVE_UP = "the file cannot be read; saving it anew in its own program may help"


class DocumentUnreadable(Exception):
    """The document cannot be read; the message says why to the one who uploaded it."""


def reason_of(error: BaseException) -> str:
    """Say what made a reader give up.

    What an error of a library says is for whoever knows that library; it goes to the log.
    """
    return str(error) if isinstance(error, DocumentUnreadable) else GAVE_UP
