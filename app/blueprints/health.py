"""Whether the process lives, whether it can serve, and what it has done. None asks for a key."""

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4
from quart import Blueprint, Response, jsonify, request
from quart_schema import tag_blueprint

from app.current import get_services
from app.jobs import count_workers
from app.metrics import Backlog
from app.models.data_source import select_stage_counts
from app.models.tool_run import select_tool_run_counts
from config.errors import Unavailable

blueprint = Blueprint("health", __name__)
tag_blueprint(blueprint, ["Health"])


@blueprint.get("/healthz")
async def healthz() -> Response:
    """Tell that the process lives."""
    return jsonify({"status": "alive"})


@blueprint.get("/readyz")
async def readyz() -> Response:
    """Tell whether the service can serve: 200, or 503 with the reason."""
    if not await get_services().database.is_reachable():
        raise Unavailable("the database does not answer")
    return jsonify({"status": "ready"})


@blueprint.get("/metrics")
async def metrics() -> Response:
    """Return the counters of this process in Prometheus's text format."""
    services = get_services()
    backlog = Backlog()
    if await services.database.is_reachable():
        async with services.database.reading() as session:
            backlog = Backlog(
                await select_stage_counts(session),
                await select_tool_run_counts(session),
                await count_workers(session),
            )
    content = services.metrics.render(backlog)
    return Response(content, content_type=CONTENT_TYPE_PLAIN_0_0_4)


@blueprint.after_app_request
async def count_request(response: Response) -> Response:
    """Count every request of the application by the pattern of its path."""
    route = request.url_rule.rule if request.url_rule else "unknown"
    get_services().metrics.count_request(request.method, route, response.status_code)
    return response
