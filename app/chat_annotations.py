"""Citations as chat clients show them: a number in the text, and an address that it leads to."""

import re

from sqlmodel.ext.asyncio.session import AsyncSession

from app.links import LINK_SECONDS, sign_link
from app.models.data_source import DataSource, select_data_source
from app.models.workflow import Workflow
from app.page_images import has_page_images
from app.schemas_chat import Annotation, UrlCitation
from app.services import Services

_KEY = re.compile(r"<source_id=([0-9]+)>")


def with_numbers(text: str) -> str:
    """Return the text with `[1]` for `<source_id=1>`."""
    return _KEY.sub(r"[\1]", text)


async def annotate(
    services: Services, workflow: Workflow, base_url: str, key_id: int | None
) -> list[Annotation]:
    """Return an annotation for each number in the answer, as `with_numbers` writes them.

    It leads to the picture of the page with the cited words marked, or, where there are no pictures
    of pages, to the file. A document that was deleted meanwhile has none.
    """
    urls = await _urls(services, workflow, base_url, key_id)
    cited = {citation["citation_key"]: citation for citation in workflow.citations}
    found: list[Annotation] = []
    shorter = 0  # how much shorter the text before is with numbers than with keys
    for key in _KEY.finditer(workflow.response):
        start = key.start() - shorter
        end = start + len(f"[{key[1]}]")
        shorter = key.end() - end
        if url := urls.get(key[0]):
            title = _title(cited[key[0]]["file_name"], cited[key[0]]["page_number"])
            place = UrlCitation(start_index=start, end_index=end, url=url, title=title)
            found.append(Annotation(url_citation=place))
    return found


async def _urls(
    services: Services, workflow: Workflow, base_url: str, key_id: int | None
) -> dict[str, str]:
    urls = {}
    async with services.database.transaction() as session:
        for number, citation in enumerate(workflow.citations, start=1):
            data_source = await select_data_source(
                session, workflow.account_id, citation["data_source_id"]
            )
            if data_source is None:
                continue
            page = citation["page_number"]
            if page > 0 and has_page_images(data_source):
                image = f"/api/v1/data-sources/{data_source.id}/pages/{page}.png"
                url = f"{base_url}{image}?highlight={workflow.id}:{number}"
            else:
                url = await _file_url(services, session, data_source, base_url, key_id)
            urls[citation["citation_key"]] = url
    return urls


async def _file_url(
    services: Services,
    session: AsyncSession,
    data_source: DataSource,
    base_url: str,
    key_id: int | None,
) -> str:
    url = await services.files.presign(data_source.blob_key, LINK_SECONDS)
    return url or f"{base_url}/files/{await sign_link(session, data_source.id, key_id)}"


def _title(file_name: str, page_number: int) -> str:
    return f"{file_name}, page {page_number}" if page_number > 0 else file_name
