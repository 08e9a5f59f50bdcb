"""A browser without a screen: it keeps cookies and sends what the forms and scripts send."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import lxml.html
from quart import Quart
from quart.typing import TestClientProtocol
from quart.wrappers import Response

from app.console.sessions import begin_session
from app.models.account import select_first_account
from app.services import Services

HTML = {"Accept": "text/html,*/*;q=0.8"}
PASSWORD = "correct horse battery"


@dataclass
class Browser:
    """One browser; `token` is what the pages of its session carry against forgery."""

    client: TestClientProtocol
    token: str = ""

    async def get(self, path: str) -> Response:
        """Load a page."""
        return await self.client.get(path, headers=HTML)  # type: ignore[return-value]  # As ours.

    async def page(self, path: str) -> lxml.html.HtmlElement:
        """Load a page that must be there, and return its root."""
        response = await self.get(path)
        assert response.status_code == 200, (path, response.status_code)
        return lxml.html.fromstring(await response.get_data(as_text=True))

    async def act(self, method: str, path: str, **form: Any) -> Response:
        """Do what a button or a form with htmx does."""
        headers = {"HX-Request": "true", "X-CSRF-Token": self.token}
        options: dict[str, Any] = {}
        if form:
            # Not `form=`, which knows no field with several values.
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            options["data"] = urlencode(form, doseq=True)
        return await self.client.open(path, method=method, headers=headers, **options)  # type: ignore[return-value]  # As above.

    async def part(self, method: str, path: str, **form: Any) -> lxml.html.HtmlElement:
        """Do something that must succeed, and return what is put into the page."""
        response = await self.act(method, path, **form)
        text = await response.get_data(as_text=True)
        assert response.status_code == 200, (path, response.status_code, text)
        return lxml.html.fromstring(f"<div>{text}</div>")

    async def refusal(self, method: str, path: str, **form: Any) -> tuple[int, str]:
        """Do something that must fail, and return the status and what the page then says."""
        response = await self.act(method, path, **form)
        assert response.headers["HX-Retarget"] == "#notice"
        alert = lxml.html.fromstring(await response.get_data(as_text=True))
        return response.status_code, alert.text_content()

    async def submit(self, path: str, **form: str) -> Response:
        """Send a form without htmx."""
        fields = {"csrf_token": self.token} | form
        return await self.client.post(path, form=fields, headers=HTML)  # type: ignore[return-value]  # As above.

    async def read_token(self) -> None:
        """Take over the token of the session."""
        root = await self.page("/account")
        self.token = root.xpath("string(//meta[@name='csrf-token']/@content)")


async def signed_in(app: Quart, services: Services) -> Browser:
    """Return a browser that is signed in to the first account."""
    browser = Browser(app.test_client())
    await browser.get("/sign-in")  # The application then has the secret of its cookies.
    async with app.test_request_context("/"):
        async with services.database.transaction() as session:
            account = await select_first_account(session)
            assert account is not None
            assert account.id is not None
            await begin_session(session, account.id)
        response = await app.process_response(await app.make_response(""))
    cookie = response.headers["Set-Cookie"].partition(";")[0]
    name, _, value = cookie.partition("=")
    browser.client.set_cookie("localhost", name, value)
    await browser.read_token()
    return browser


def text_of(root: lxml.html.HtmlElement, path: str) -> str:
    """Return the text of the one element that a path finds, its white space made single."""
    (element,) = root.xpath(path)
    return " ".join(element.text_content().split())
