"""The audit log: who did what in the account."""

from dataclasses import replace

from quart import Blueprint, Response, request
from quart_schema import document_querystring, document_response, tag_blueprint

from app.access import account_id
from app.current import get_services
from app.models.audit_entry import select_audit_entries
from app.request_body import MAX_PAGE, parse_page, validate
from app.responses import listed
from app.schemas import ErrorResponse
from app.schemas_audit_log import AuditEntryResponse, AuditLogParameters, AuditLogRequest

blueprint = Blueprint("audit_log", __name__, url_prefix="/api/v1/audit-log")
tag_blueprint(blueprint, ["Audit log"])


@blueprint.get("")
@document_querystring(AuditLogParameters)
@document_response(list[AuditEntryResponse])
@document_response(ErrorResponse, 400)
async def list_audit_log() -> Response:
    """List what was done in the account, newest first, at most 1,000 entries at a time.

    Filter: `action`. Pages: `limit` and `after`.
    """
    asked = validate(AuditLogRequest, request.args)
    page = parse_page(newest_first=True)
    # It grows for a year, and nobody wants all of it at once.
    page = replace(page, limit=page.limit or MAX_PAGE)
    async with get_services().database.reading() as session:
        entries = await select_audit_entries(session, account_id(), page, action=asked.action)
    items = [AuditEntryResponse.from_entry(entry) for entry in entries]
    return listed(items, [entry.id for entry in entries], page)
