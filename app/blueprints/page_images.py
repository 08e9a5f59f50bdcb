"""The pages of a document as pictures, with the words marked that an answer cites."""

import hashlib
import re

from pydantic import Field
from quart import Blueprint, Response, request
from quart_schema import document_querystring, document_response, tag_blueprint

from app.access import find_data_source
from app.current import get_services
from app.page_images import PageImage, page_image
from app.request_body import validate
from app.schemas import ErrorResponse, RequestBody
from config.errors import NotFound

blueprint = Blueprint("page_images", __name__, url_prefix="/api/v1/data-sources")
tag_blueprint(blueprint, ["Data sources"])


# Not a converter of the route, which the description of the API would not survive.
_NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)


class PageImageRequest(RequestBody):
    """What is to be marked on a page: words, or `wfl_…:N` for citation N of an answer."""

    highlight: str = Field("", max_length=2000)


@blueprint.get("/<data_source_id>/pages/<number>.png")
@document_querystring(PageImageRequest)
@document_response(ErrorResponse, 400)
@document_response(ErrorResponse, 404)
@document_response(ErrorResponse, 503)
async def get_page_image(data_source_id: str, number: str) -> Response:
    """Return a page as a PNG picture, its longest side 1600 pixels at most.

    With `highlight`, the lines are marked that these words stand on, or those that an answer
    cites; the header `Highlighted-Lines` says how many they are.
    """
    if not _NUMBER.fullmatch(number):
        raise NotFound("page")
    services = get_services()
    asked = validate(PageImageRequest, request.args)
    async with services.database.reading() as session:
        data_source = await find_data_source(session, data_source_id)
    image = await page_image(services, data_source, int(number), asked.highlight)
    return await image_response(image, is_highlighted=bool(asked.highlight))


async def image_response(image: PageImage, *, is_highlighted: bool) -> Response:
    """Return the picture, or 304 where the client has it; a browser asks again each time."""
    response = Response(image.png, content_type="image/png")
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["X-Content-Type-Options"] = "nosniff"
    if is_highlighted:
        response.headers["Highlighted-Lines"] = str(image.highlighted_lines)
    response.set_etag(hashlib.sha256(image.png).hexdigest())
    return await response.make_conditional(request)
