"""The console in a real browser: what a person does there, step by step.

Needs Debian's chromium (or CHROMIUM with the path of another); the tests that use it are skipped
where there is none.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.conftest import FILES
from tests.ke_process import SECONDS, Service

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")

PASSWORD = "correct horse battery"

# Nothing of it may look for a network, and in a container it has neither a sandbox nor a GPU.
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)
_MILLISECONDS = SECONDS * 1000

Theme = Literal["light", "dark"]
DESKTOP, PHONE = (1280, 800), (390, 844)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser that reaches nothing but this machine."""
    expect.set_options(timeout=_MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        yield browser
        browser.close()


@dataclass
class Visit:
    """A person at the console of a service; `complaints` are what the browser has refused."""

    service: Service
    page: Page
    complaints: list[str]

    def go(self, path: str) -> None:
        """Load a page."""
        self.page.goto(str(self.service.client.base_url.join(path)))

    @property
    def path(self) -> str:
        """Where the person is: the path of the page."""
        address = urlsplit(self.page.url)
        return f"{address.path}?{address.query}" if address.query else address.path

    def sign_in_at_first(self) -> None:
        """Follow the address that the first start has printed, and choose a password."""
        printed = re.search(r"/welcome\?token=\S+", self.service.log.read_text())
        assert printed is not None
        self.go(printed.group())
        self.page.get_by_label("New password").fill(PASSWORD)
        self.page.get_by_role("button", name="Set password and sign in").click()
        expect(self.page.get_by_role("heading", name="Engines", exact=True)).to_be_visible()

    def sign_in(self) -> None:
        """Sign in with the password."""
        self.go("/sign-in")
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_role("heading", name="Engines", exact=True)).to_be_visible()

    def create_engine(self, name: str) -> None:
        """Make an engine, and get to its documents."""
        self.go("/")
        self.page.get_by_role("button", name="New engine").click()
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_role("button", name="Create engine").click()
        expect(self.page.get_by_role("heading", name=name)).to_be_visible()

    def upload(self, *names: str) -> None:
        """Choose files, and wait until all of them are read."""
        self.page.set_input_files("#files", [FILES / name for name in names])
        for name in names:
            row = self.page.get_by_role("row").filter(has_text=name)
            expect(row.get_by_text("ready", exact=True)).to_be_visible()

    def ask(self, question: str) -> None:
        """Ask on the page of an engine, and wait for the whole answer."""
        self.page.get_by_role("link", name="Ask", exact=True).click()
        self.page.get_by_label("Your question").fill(question)
        self.page.get_by_role("button", name="Ask", exact=True).click()
        expect(self.page.get_by_role("list", name="Sources").last).to_be_visible()

    def open_source(self) -> None:
        """Click the number behind the last statement, and wait for the picture of its page."""
        self.page.locator(".prose .cite").last.click()
        picture = self.page.locator("dialog[open] img")
        expect(picture).to_have_js_property("complete", True)
        expect(picture).not_to_have_js_property("naturalWidth", 0)

    def extract(self, *fields: tuple[str, str, str]) -> None:
        """Fill the form (name, meaning, type of each field), run it, and wait for its end."""
        self.page.get_by_role("link", name="Extract", exact=True).click()
        rows = self.page.locator("#fields > li")
        for number, (name, meaning, kind) in enumerate(fields):
            if number:
                self.page.get_by_role("button", name="Add a field").click()
            rows.nth(number).get_by_label("Field", exact=True).fill(name)
            rows.nth(number).get_by_label("What it means").fill(meaning)
            rows.nth(number).get_by_label("Type").select_option(kind)
        self.page.get_by_role("button", name="Extract", exact=True).click()
        expect(self.page.get_by_text("The least sure come first.")).to_be_visible()

    def create_key(self, name: str) -> str:
        """Make a key and return it."""
        self.go("/keys")
        self.page.get_by_role("button", name="Create a New Key").click()
        self.page.get_by_label("What is it for?").fill(name)
        self.page.get_by_role("button", name="Create key").click()
        return self.page.locator("#the-key").inner_text()

    def revoke_key(self, name: str) -> None:
        """Revoke a key."""
        row = self.page.get_by_role("row").filter(has_text=name)
        row.get_by_role("button", name=f"Revoke … {name}").click()
        self.page.get_by_role("button", name="Revoke key").click()
        expect(row.get_by_text("revoked")).to_be_visible()

    def sign_out(self) -> None:
        """Sign out."""
        self.page.get_by_role("link", name="Your account").click()
        self.page.get_by_role("button", name="Sign out", exact=True).click()
        expect(self.page.get_by_role("heading", name="Sign in")).to_be_visible()


@contextmanager
def visit(
    browser: Browser,
    service: Service,
    theme: Theme = "light",
    size: tuple[int, int] = DESKTOP,
    *,
    admits_tools: bool = False,
) -> Iterator[Visit]:
    """Yield a person at a new browser window; `admits_tools` lets a test's own script run."""
    width, height = size
    context = browser.new_context(
        color_scheme=theme,
        viewport={"width": width, "height": height},
        bypass_csp=admits_tools,
        locale="en-GB",
    )
    context.set_default_timeout(_MILLISECONDS)
    page = context.new_page()
    person = Visit(service, page, [])
    page.on("console", lambda message: _note(person, message.type, message.text))
    page.on("pageerror", lambda error: person.complaints.append(str(error)))
    yield person
    context.close()


def axe_core() -> Path | None:
    """Return the file of axe-core: AXE_CORE, or that of a node_modules in the checkout."""
    named = os.environ.get("AXE_CORE")
    found = Path(named or Path(__file__).parents[1] / "node_modules/axe-core/axe.min.js")
    return found if found.is_file() else None


def _note(person: Visit, kind: str, text: str) -> None:
    if kind == "error":
        person.complaints.append(text)
