"""Errors as a person reads them, in the form that the script of the page expects."""

from urllib.parse import quote

from quart import Quart, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers.response import Response as WerkzeugResponse

from app.auth import is_console
from app.console.sessions import Forged, SignedOut

TITLES = {
    400: "That did not work",
    403: "This page is out of date",
    404: "There is nothing here",
    405: "There is nothing here",
    413: "That is too large",
    503: "Just a moment",
}
_ANY_TITLE = "Something went wrong"


def is_for_a_person() -> bool:
    """Tell whether an error of this request is read in a browser rather than by a program."""
    is_page = not request.path.startswith("/api/") and _wants_html()
    return is_console() or is_page


async def error_for_a_person(message: str, status: int) -> Response:
    """Return an error: into the page's live region, to its script, or as a page of its own."""
    if _is_htmx():
        response = Response(await render_template("_error.html", message=message), status=status)
        response.headers["HX-Retarget"] = "#notice"
        response.headers["HX-Reswap"] = "innerHTML"
    elif _wants_html():
        title = TITLES.get(status, _ANY_TITLE)
        page = await render_template("error.html", title=title, message=message, status=status)
        response = Response(page, status=status)
    else:
        response = jsonify({"error": message})
        response.status_code = status
    return response


def register_session_errors(app: Quart) -> None:
    """Send who is not signed in to where they can, and refuse what another site has made."""

    @app.errorhandler(SignedOut)
    async def sign_in(_: SignedOut) -> Response | WerkzeugResponse:
        address = url_for("console.sign_in.sign_in")
        if _is_htmx():
            return Response(status=401, headers={"HX-Redirect": address})
        if not _wants_html():
            return await error_for_a_person("You are signed out. Sign in again.", 401)
        if request.method == "GET" and request.path != "/":
            address += f"?next={quote(request.full_path.rstrip('?'))}"
        return redirect(address, 303)

    @app.errorhandler(Forged)
    async def refuse(_: Forged) -> Response:
        return await error_for_a_person("Load the page again, and repeat what you did.", 403)


def _is_htmx() -> bool:
    return "HX-Request" in request.headers


def _wants_html() -> bool:
    return "text/html" in request.headers.get("Accept", "")
