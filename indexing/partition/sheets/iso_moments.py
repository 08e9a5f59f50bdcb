"""Write the moments of ISO 8601 that sheets hold in the way a person types them."""

import re

_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:[.,]\d{0,9})?(Z?)")
_MIDNIGHT = "00:00:00"
_DAYS_OF_NO_DATE = ("1899-12-30", "1899-12-31")
"""The days from which sheets count; what is shown of a moment on them is its time."""


def plain_moment(text: str) -> str:
    """Return a moment as its day, or its time, or as both; any other text as it is.

    Programs write days as moments at midnight, with a `Z` behind it, wherever they are.
    """
    moment = _MOMENT.fullmatch(text)
    if moment is None:
        return text
    day, time, zone = moment.groups()
    if day in _DAYS_OF_NO_DATE:
        return time
    return day if time == _MIDNIGHT else f"{day} {time}{zone}"
