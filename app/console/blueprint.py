"""The console: the web pages for people, at `/`."""

from pathlib import Path

from quart import Blueprint, Quart, Response
from quart_schema import hide

from app.console import (
    ask,
    documents,
    engines,
    extract,
    keys,
    models,
    search,
    sign_in,
    usage,
)
from app.console.error_pages import register_session_errors
from app.console.protection import protect_pages
from app.console.sessions import csrf_token
from app.console.template_words import FILTERS
from app.static_files import send_static_file

_PAGES = (sign_in, engines, documents, ask, search, extract, keys, models, usage)

_STATIC = Path(__file__).with_name("static")


def add_console(app: Quart) -> None:
    """Add the pages, and what protects them; who may see them is `sessions.require_session`."""
    console = Blueprint("console", __name__, template_folder="templates")
    console.add_url_rule("/assets/<path:name>", "static", _send_asset)
    for module in _PAGES:
        console.register_blueprint(module.blueprint)
    app.register_blueprint(console)
    app.jinja_env.filters.update(FILTERS)
    app.jinja_env.globals["csrf_token"] = csrf_token
    protect_pages(app)
    register_session_errors(app)
    for endpoint, view in app.view_functions.items():
        if endpoint.startswith("console."):
            hide(view)  # The reference is for programs.


async def _send_asset(name: str) -> Response:
    return await send_static_file(_STATIC, name)
