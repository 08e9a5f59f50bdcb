"""Draw docs/screenshots anew: a service with sample documents, looked at in a real browser.

Run from the checkout: .venv/bin/python -m scripts.make_screenshots
"""

from pathlib import Path

from playwright.sync_api import Browser

from tests.console_visit import DESKTOP, PHONE, Theme, Visit, chromium, visit
from tests.ke_process import Service, new_data_dir, serving

FOLDER = Path(__file__).parents[1] / "docs" / "screenshots"

DOCUMENTS = ("warehouse-lease.pdf", "supplier-handbook.docx", "quarterly-review.pptx")
FIELDS = (
    ("Deposit", "What the tenant has paid as a deposit", "currency"),
    ("End of the lease", "The day on which the lease ends", "date"),
    ("Landlord", "Who lets the warehouse", "text"),
    ("VAT number", "The tenant's VAT number", "id_alphanumeric"),
)
THEMES: tuple[Theme, ...] = ("light", "dark")
SIZES = {"desktop": DESKTOP, "phone": PHONE}


def main() -> None:
    """Fill a new service, and draw its pages in both themes and both sizes."""
    FOLDER.mkdir(exist_ok=True)
    with new_data_dir() as data_dir, serving(data_dir) as service, chromium() as browser:
        pages = fill(browser, service)
        for theme in THEMES:
            for size_name, size in SIZES.items():
                with visit(browser, service, theme, size) as person:
                    person.sign_in()
                    for name, path in pages.items():
                        person.go(path)
                        draw(person, f"{name}-{size_name}-{theme}")
                    person.go(pages["ask"])
                    person.open_source()
                    draw(person, f"source-{size_name}-{theme}")


def fill(browser: Browser, service: Service) -> dict[str, str]:
    """Do what a person does, and return the pages to draw by their names."""
    with visit(browser, service) as person:
        person.sign_in_at_first()
        person.create_engine("Harbour Light")
        documents = person.path
        person.upload(*DOCUMENTS)
        person.ask("When does the lease end?")
        person.ask("How much is the deposit?")
        ask = person.path
        person.extract(*FIELDS)
        extraction = person.path
        person.create_key("My laptop")
    return {
        "engines": "/",
        "documents": documents,
        "ask": ask,
        "search": f"{documents}/search?query=repairs",
        "extraction": extraction,
        "keys": "/keys",
    }


def draw(person: Visit, name: str) -> None:
    """Draw what the window shows."""
    person.page.wait_for_load_state("networkidle")
    person.page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()
