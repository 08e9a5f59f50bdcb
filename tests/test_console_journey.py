"""A person's way through the console, in a real browser on a real service."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Route, expect

from tests.conftest import FILES
from tests.console_visit import CHROMIUM, PHONE, Theme, Visit, axe_core, chromium, visit
from tests.ke_process import Service, new_data_dir, serving

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

THEMES: tuple[Theme, ...] = ("light", "dark")
LEASE = "warehouse-lease.pdf"
FIELDS = (
    ("Deposit", "What the tenant has paid as a deposit", "currency"),
    ("VAT number", "The tenant's VAT number", "id_alphanumeric"),
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def service(browser: Browser) -> Iterator[Service]:
    """A service whose owner has chosen a password."""
    with new_data_dir() as data_dir, serving(data_dir) as service:
        with visit(browser, service) as person:
            person.sign_in_at_first()
        yield service


@pytest.fixture(scope="module")
def paths(browser: Browser, service: Service) -> dict[str, str]:
    """Walk the whole way once, and return the pages it leads past."""
    paths = {name: f"/{name}" for name in ("", "keys", "models", "usage", "account", "nowhere")}
    with visit(browser, service) as person:
        person.sign_in()
        person.create_engine("Leases")
        engine = person.path
        person.upload(LEASE)
        paths["document"] = person.page.get_by_role("link", name=LEASE).get_attribute("href") or ""
        person.ask("How much is the deposit?")
        paths["answer"] = person.path
        person.extract(*FIELDS)
        paths["extraction"] = person.path
        assert person.complaints == []
    for part in ("", "/ask", "/search?query=deposit", "/extract", "/settings"):
        paths[f"engine{part}"] = f"{engine}{part}"
    return paths


def test_person_gets_from_the_first_start_to_an_answer_with_its_page(
    browser: Browser, service: Service, paths: dict[str, str]
) -> None:
    with visit(browser, service) as person:
        person.sign_in()
        person.go(paths["answer"])
        person.open_source()

        expect(person.page.locator("dialog[open] h2")).to_have_text(f"{LEASE}, page 2")
        expect(person.page.locator("dialog[open] blockquote")).to_contain_text("12,000 pounds")
        assert person.complaints == []


def test_extracted_value_leads_to_its_page_and_can_be_corrected(
    browser: Browser, service: Service, paths: dict[str, str]
) -> None:
    with visit(browser, service) as person:
        person.sign_in()
        person.go(paths["extraction"])
        row = person.page.get_by_role("row").filter(has_text="VAT number")
        row.get_by_role("button", name="Correct VAT number").click()
        person.page.locator("dialog[open] input").fill("GB123456789")
        person.page.get_by_role("button", name="Save").click()

        expect(row.get_by_text("GB123456789")).to_be_visible()
        with person.page.expect_download() as download:
            person.page.get_by_role("link", name="CSV").click()
        assert "GB123456789" in download.value.path().read_text()


def test_files_chosen_before_the_page_has_loaded_are_uploaded(
    browser: Browser, service: Service
) -> None:
    with visit(browser, service) as person:
        person.sign_in()
        person.create_engine("Early")
        scripts: list[Route] = []
        person.page.route("**/assets/upload.js", lambda route: scripts.append(route))
        person.page.reload(wait_until="commit")
        person.page.set_input_files("#files", FILES / LEASE)
        while not scripts:
            person.page.wait_for_timeout(50)
        scripts[0].continue_()

        row = person.page.get_by_role("row").filter(has_text=LEASE)
        expect(row.get_by_text("ready", exact=True)).to_be_visible()


def test_key_works_until_it_is_revoked(browser: Browser, service: Service) -> None:
    with visit(browser, service) as person:
        person.sign_in()
        key = person.create_key("laptop")
        before = status(service, key)
        person.go("/keys")
        person.revoke_key("laptop")

        assert (before, status(service, key)) == (200, 401)


def test_who_signs_out_is_out(browser: Browser, service: Service) -> None:
    with visit(browser, service) as person:
        person.sign_in()
        person.sign_out()

        person.go("/keys")

        expect(person.page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_console_is_used_with_the_keyboard_alone(browser: Browser, service: Service) -> None:
    with visit(browser, service) as person:
        person.sign_in()
        keyboard = person.page.keyboard

        keyboard.press("Tab")
        expect(person.page.get_by_role("link", name="Skip to the content")).to_be_focused()
        keyboard.press("Enter")
        keyboard.press("Tab")
        keyboard.press("Enter")
        expect(person.page.get_by_label("Name", exact=True)).to_be_focused()
        keyboard.type("By keyboard")
        keyboard.press("Enter")

        expect(person.page.get_by_role("heading", name="By keyboard")).to_be_visible()


@pytest.mark.skipif(axe_core() is None, reason="axe-core is not there: npm install axe-core")
def test_pages_have_no_serious_violation_light_or_dark(
    browser: Browser, service: Service, paths: dict[str, str]
) -> None:
    with visit(browser, service, admits_tools=True) as person:
        person.go("/sign-in")
        violations = {"sign-in": serious_violations(person)}
        person.sign_in()
        for name, path in paths.items():
            person.go(path)
            violations[name] = serious_violations(person)
        person.go(paths["answer"])
        person.open_source()
        violations["source"] = serious_violations(person)

    assert {name: found for name, found in violations.items() if found} == {}


def test_no_page_is_wider_than_a_phone(
    browser: Browser, service: Service, paths: dict[str, str]
) -> None:
    _, height = PHONE
    with visit(browser, service, size=(360, height)) as person:
        person.sign_in()
        widths = {}
        for name, path in paths.items():
            person.go(path)
            widths[name] = person.page.evaluate("document.documentElement.scrollWidth")

    assert {name: width for name, width in widths.items() if width > 360} == {}


def serious_violations(person: Visit) -> list[str]:
    """Return what axe-core finds that keeps somebody from using the page, light or dark."""
    person.page.add_script_tag(path=axe_core())
    found = []
    for theme in THEMES:
        # Colours that still change into those of the theme would be taken for its own.
        person.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        # What is as it should be is much longer, and takes longer to tell than to find.
        for one in person.page.evaluate("axe.run().then((found) => found.violations)"):
            if one["impact"] in ("serious", "critical"):
                found += [f"{theme}: {one['id']}: {node['target']}" for node in one["nodes"]]
    return found


def status(service: Service, key: str) -> int:
    url = service.client.base_url.join("/api/v1/workflows")
    return httpx.get(url, auth=(key, "")).status_code
