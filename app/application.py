"""The Quart application: its endpoints, and what holds for every request."""

from importlib.metadata import version
from pathlib import Path

import swagger_ui
from quart import Blueprint, Quart, Response, g, request
from quart.sessions import SessionInterface
from quart.wrappers import BaseRequestWebsocket
from quart_schema import HttpSecurityScheme, Info, QuartSchema, hide

from app.api_description import ApiDescription
from app.auth import require_key
from app.blueprints import (
    audit_log,
    chat_completions,
    data_source_batch,
    data_sources,
    deletion_receipts,
    files,
    health,
    knowledge_engines,
    page_images,
    queries,
    retrieval,
    tool_runs,
    webhooks,
    workflows,
)
from app.console.blueprint import add_console
from app.console.sessions import require_session
from app.current import get_services
from app.error_handlers import register_error_handlers
from app.form_parser import FormRequest
from app.key_watch import KeyWatch
from app.models.data_source import has_active_data_source
from app.refused_calls import RefusedCalls
from app.request_ids import RequestIds
from app.request_spans import trace_requests
from app.services import Services
from app.static_files import send_static_file
from app.upload_limit import UploadLimit, is_upload

API_VERSION = "1.0.0"

_ENDPOINTS = (
    knowledge_engines,
    retrieval,
    queries,
    data_sources,
    data_source_batch,
    deletion_receipts,
    page_images,
    files,
    workflows,
    tool_runs,
    webhooks,
    chat_completions,
    audit_log,
    health,
)

# What is sent with a form besides the file: the `data` part and the boundaries.
_FORM_OVERHEAD_BYTES = 1 << 20
_BODY_SECONDS = 60
_UPLOAD_SECONDS = 3600

_SWAGGER_UI = Path(swagger_ui.__file__).parent / "static"


def create_app(services: Services) -> Quart:
    """Put the application together around the services of this process."""
    app = Quart(__name__, static_folder=None)
    app.request_class = FormRequest
    app.session_interface = _NoSessions()  # type: ignore[assignment]  # typed as its default
    app.extensions["services"] = services
    app.extensions["key_watch"] = KeyWatch(services)
    limit = services.settings.max_upload_bytes
    app.config.update(
        MAX_CONTENT_LENGTH=limit + _FORM_OVERHEAD_BYTES,
        MAX_FORM_MEMORY_SIZE=_FORM_OVERHEAD_BYTES,
        MAX_FORM_PARTS=data_source_batch.MAX_ITEMS + 1,
        BODY_TIMEOUT=_BODY_SECONDS,
        QUART_SCHEMA_SWAGGER_JS_URL="/docs/assets/swagger-ui-bundle.js",
        QUART_SCHEMA_SWAGGER_CSS_URL="/docs/assets/swagger-ui.css",
    )
    for module in _ENDPOINTS:
        app.register_blueprint(module.blueprint)
    app.register_blueprint(_docs_assets())
    add_console(app)
    _document(app)
    app.before_request(_give_uploads_time)
    require_session(app)
    require_key(app, RefusedCalls(services).note)
    app.before_request(_wake)
    register_error_handlers(app)
    app.asgi_app = UploadLimit(app.asgi_app, limit, _FORM_OVERHEAD_BYTES)  # type: ignore[method-assign]  # Quart's way
    trace_requests(app)
    app.asgi_app = RequestIds(app.asgi_app)  # type: ignore[method-assign]  # the same
    return app


class _NoSessions(SessionInterface):
    """No sessions of Quart's, for those of the console are our own (`app/console/sessions.py`).

    Its default would make what checks their signatures at each request.
    """

    async def open_session(self, app: Quart, request: BaseRequestWebsocket) -> None:
        """Find none."""


async def _give_uploads_time() -> None:
    if is_upload(request.path):
        request.body_timeout = _UPLOAD_SECONDS


async def _wake() -> None:
    """Load what questions need as soon as somebody with a key is there, and something to ask about.

    A process that is idle, or only takes documents in, does without LiteLLM, which takes seconds
    and 140 MB.
    """
    services = get_services()
    if "account" not in g or services.is_awake:
        return
    async with services.database.reading() as session:
        if await has_active_data_source(session):
            services.wake()


def _document(app: Quart) -> None:
    """Add /openapi.json and its page at /docs, which loads nothing from elsewhere."""
    QuartSchema(
        app,
        openapi_provider_class=ApiDescription,
        info=Info(
            title="Knowledge Engine",
            version=API_VERSION,
            description=f"Questions answered over documents. Server {version('knowledge-engine')}.",
        ),
        redoc_ui_path=None,
        scalar_ui_path=None,
        security_schemes={
            "basic": HttpSecurityScheme(scheme="basic"),
            "bearer": HttpSecurityScheme(scheme="bearer"),
        },
        security=[{"basic": []}, {"bearer": []}],
    )


def _docs_assets() -> Blueprint:
    blueprint = Blueprint("docs", __name__)

    @blueprint.get("/docs/assets/<path:name>")
    @hide
    async def asset(name: str) -> Response:
        return await send_static_file(_SWAGGER_UI, name)

    return blueprint
