"""Receipts of deletions: list and read them, and the key by which to verify them."""

from quart import Blueprint, Response, request
from quart_schema import document_querystring, document_response, tag_blueprint

from app.access import account_id, engine_to_list, find_receipt
from app.current import get_services
from app.deleting import Deletion
from app.models.deletion_receipt import DeletionReceipt, select_receipts
from app.receipts import public_key
from app.request_body import parse_page
from app.responses import answered, listed
from app.schemas import (
    Deleted,
    DeletionReceiptResponse,
    ErrorResponse,
    ListParameters,
    PublicKeyResponse,
)
from config.errors import ValidationFailed

blueprint = Blueprint("deletion_receipts", __name__, url_prefix="/api/v1/deletion-receipts")
tag_blueprint(blueprint, ["Deletion receipts"])


@blueprint.get("")
@document_querystring(ListParameters)
@document_response(list[DeletionReceiptResponse])
async def list_receipts() -> Response:
    """List the receipts of the account, newest first."""
    page = parse_page(newest_first=True)
    async with get_services().database.transaction() as session:
        receipts = await select_receipts(session, account_id(), page, engine_id=engine_to_list())
    items = [DeletionReceiptResponse.from_receipt(one) for one in receipts]
    return listed(items, [one.id for one in receipts], page)


@blueprint.get("/public-key")
@document_response(PublicKeyResponse)
async def get_public_key() -> Response:
    """Return the public key of this service's receipts."""
    return answered(PublicKeyResponse(public_key=await public_key(get_services())))


@blueprint.get("/<receipt_id>")
@document_response(DeletionReceiptResponse)
@document_response(ErrorResponse, 404)
async def get_receipt(receipt_id: str) -> Response:
    """Return a receipt."""
    async with get_services().database.transaction() as session:
        receipt = await find_receipt(session, receipt_id)
    return answered(DeletionReceiptResponse.from_receipt(receipt))


def wants_receipt() -> bool:
    """Tell whether the deletion that is asked for is to have a receipt.

    Raises:
        ValidationFailed: `receipt` is neither true nor false.
    """
    wanted = request.args.get("receipt", "false")
    if wanted not in ("true", "false"):
        raise ValidationFailed(
            "Key: 'DeleteRequest.Receipt' Error:Field validation for 'Receipt' "
            "failed on the 'oneof' tag"
        )
    return wanted == "true"


def deleted(deletion: Deletion) -> Response:
    """Answer a deletion, with its receipt if it has one."""
    body = Deleted(id=deletion.id, receipt=receipt_response(deletion.receipt))
    return answered(body, exclude_none=True)


def receipt_response(receipt: DeletionReceipt | None) -> DeletionReceiptResponse | None:
    """Return the receipt as clients see it, None where there is none."""
    return None if receipt is None else DeletionReceiptResponse.from_receipt(receipt)
