"""Signing in and out, the first password, and changing it."""

from quart import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers.response import Response as WerkzeugResponse

from app.access import account_id
from app.audit import Actor, record
from app.console.passwords import hash_password, is_password, what_is_wrong_with
from app.console.sessions import begin_session, end_session
from app.console.throttle import WINDOW, forget_attempt, take_attempt
from app.console.welcome import link_digest
from app.current import get_services
from app.models.account import select_first_account
from app.models.audit_entry import Action, ActionOutcome, ActorKind
from app.models.console_session import delete_console_sessions
from app.models.owner import select_password_hash, upsert_password_hash
from app.models.sign_in_link import delete_sign_in_link, select_sign_in_link

Page = Response | WerkzeugResponse

blueprint = Blueprint("sign_in", __name__)


@blueprint.route("/sign-in", methods=["GET", "POST"])
async def sign_in() -> Page:
    """Ask for the password, and sign the owner of the first account in."""
    target = local_path(request.args.get("next", ""))
    if request.method == "GET":
        return await _form("sign_in.html", target=target)
    password = (await request.form).get("password", "")
    services = get_services()
    async with services.database.reading() as session:
        account = await select_first_account(session)
        number = account.id if account else None
        password_hash = number and await select_password_hash(session, number)
    if number is None or not password_hash:
        return await _form("sign_in.html", "No password is set yet.", target=target)
    attempt = await take_attempt(services.database, number, request.remote_addr or "")
    if attempt is None:
        return await _too_many(target)
    owner = Actor(number, ActorKind.CONSOLE)
    if not await is_password(password, password_hash):
        async with services.database.transaction() as session:
            await record(session, Action.SIGN_IN, by=owner, outcome=ActionOutcome.REFUSED)
        return await _form("sign_in.html", "This is not the password.", target=target)
    await forget_attempt(services.database, attempt)
    async with services.database.transaction() as session:
        await begin_session(session, number)
        await record(session, Action.SIGN_IN, by=owner)
    return redirect(target, 303)


@blueprint.route("/welcome", methods=["GET", "POST"])
async def welcome() -> Page:
    """Let who has a sign-in address choose a password; it is used up by that, not by looking."""
    form = await request.form
    token = form.get("token") or request.args.get("token", "")
    services = get_services()
    async with services.database.reading() as session:
        link = await select_sign_in_link(session, link_digest(token))
    if link is None:
        return await _form("welcome.html", token="", status=404)
    if request.method == "GET":
        return await _form("welcome.html", token=token)
    if wrong := what_is_wrong_with(form.get("password", "")):
        return await _form("welcome.html", wrong, token=token)
    password_hash = await hash_password(form["password"])
    async with services.database.transaction() as session:
        number = await delete_sign_in_link(session, link.digest)
        if number is not None:
            await upsert_password_hash(session, number, password_hash)
            await delete_console_sessions(session, number)
            await begin_session(session, number)
            owner = Actor(number, ActorKind.CONSOLE)
            await record(session, Action.PASSWORD_CHANGED, by=owner)
    if number is None:  # Somebody has used it in this very moment.
        return await _form("welcome.html", token="", status=404)
    return redirect("/", 303)


@blueprint.post("/sign-out")
async def sign_out() -> Page:
    """Sign this browser out."""
    async with get_services().database.transaction() as session:
        await end_session(session)
        await record(session, Action.SIGN_OUT)
    return redirect(url_for("console.sign_in.sign_in"), 303)


@blueprint.post("/sign-out-everywhere")
async def sign_out_everywhere() -> Page:
    """Sign every browser out, this one too."""
    async with get_services().database.transaction() as session:
        await delete_console_sessions(session, account_id())
        await end_session(session)
        await record(session, Action.SIGN_OUT)
    return redirect(url_for("console.sign_in.sign_in"), 303)


@blueprint.route("/account", methods=["GET", "POST"])
async def account() -> Page:
    """Change the password, which signs every other browser out."""
    if request.method == "GET":
        return await _form("account.html")
    form, services = await request.form, get_services()
    if wrong := what_is_wrong_with(form.get("new_password", "")):
        return await _form("account.html", wrong)
    attempt = await take_attempt(services.database, account_id(), request.remote_addr or "")
    if attempt is None:
        return await _form("account.html", _TOO_MANY, status=429)
    async with services.database.reading() as session:
        password_hash = await select_password_hash(session, account_id())
    if not password_hash or not await is_password(form.get("password", ""), password_hash):
        return await _form("account.html", "The present password is another one.")
    await forget_attempt(services.database, attempt)
    password_hash = await hash_password(form["new_password"])
    async with services.database.transaction() as session:
        await upsert_password_hash(session, account_id(), password_hash)
        await delete_console_sessions(session, account_id())
        await begin_session(session, account_id())
        await record(session, Action.PASSWORD_CHANGED)
    return redirect(url_for("console.sign_in.account", changed=1), 303)


def local_path(target: str) -> str:
    """Return where to go after signing in: a page of this service, whatever the address says."""
    is_local = target.startswith("/") and not target.startswith(("//", "/\\"))
    return target if is_local and target.isprintable() else "/"


_TOO_MANY = (
    f"Too many attempts. Try again in {WINDOW.seconds // 60} minutes, "
    "or make a new sign-in address in the terminal: ke console-link"
)


async def _too_many(target: str) -> Response:
    response = await _form("sign_in.html", _TOO_MANY, target=target, status=429)
    response.headers["Retry-After"] = str(WINDOW.seconds)
    return response


async def _form(template: str, error: str = "", *, status: int = 0, **values: str) -> Response:
    """Return a page with a form, which says what was wrong with what it was sent before."""
    page = await render_template(template, error=error, **values)
    return Response(page, status=status or (400 if error else 200))
