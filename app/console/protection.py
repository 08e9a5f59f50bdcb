"""What every page of the console tells the browser not to do."""

from quart import Quart, Response, request

from app.auth import is_console

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
"""Nothing runs, is styled or is loaded but what comes as a file of this service."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # Not "no-referrer": the browser would then hide the origin of our own forms.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

# The page of the API's reference brings a script in itself.
_REFERENCE = "swagger_ui"


def protect_pages(app: Quart) -> None:
    """Send the headers with all of the console, and with every page besides the reference."""

    @app.after_request
    async def protect(response: Response) -> Response:
        is_page = response.mimetype == "text/html" and request.endpoint != _REFERENCE
        if is_console() or is_page:
            response.headers.update(HEADERS)
            if request.endpoint != "console.static":
                response.headers.setdefault("Cache-Control", "no-store")
        return response
