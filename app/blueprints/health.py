"""Whether the process lives, and whether it can serve. Neither asks for a key."""

from quart import Blueprint, Response, jsonify
from quart_schema import tag_blueprint

from app.services import get_services
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
