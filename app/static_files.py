"""Files that come with the service and are sent as they are."""

from pathlib import Path

from quart import Response, send_from_directory

from config.errors import NotFound


async def send_static_file(folder: Path, name: str) -> Response:
    """Send a file of a folder.

    Raises:
        NotFound: there is none.
    """
    try:
        return await send_from_directory(folder, name)
    except (OSError, ValueError) as error:  # No file can have such a name: too long, or with NUL.
        raise NotFound("file") from error
