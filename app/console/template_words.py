"""How the templates write sizes, moments and answers."""

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape

_KEY = re.compile(r"<source_id=(\d+)>")
_UNITS = ("bytes", "kB", "MB", "GB")


def size(size_bytes: int) -> str:
    """Write a number of bytes as people do: 4.9 kB."""
    thousands = min((len(str(size_bytes)) - 1) // 3, len(_UNITS) - 1)
    amount = size_bytes / 1000**thousands
    decimals = 1 if thousands and amount < 100 else 0
    return f"{amount:.{decimals}f} {_UNITS[thousands]}"


def moment(value: datetime) -> Markup:
    """Write a moment in UTC; the page's script puts it into the reader's own time."""
    return Markup('<time datetime="{}">{}</time>').format(
        value.isoformat(timespec="seconds"), value.strftime("%Y-%m-%d %H:%M UTC")
    )


def number(value: int) -> str:
    """Write a number with a thin space between thousands."""
    return f"{value:,}".replace(",", "\u202f")


def usd(value: float | None) -> str:
    """Write a price; None is one that nobody knows."""
    if value is None:
        return "not known"
    return f"${value:.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def answer(response: str) -> Markup:
    """Write an answer, its light Markdown as HTML and each citation key as a button.

    Nothing of it can become a tag, an address or a picture: those are switched off, not removed.
    """
    return Markup(_MARKDOWN.render(response))  # All text of it is escaped below.


def _render_text(
    self: RendererProtocol,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    text = tokens[index].content
    parts = _KEY.split(text)  # text, number, text, number, …, text
    written = [str(escape(parts[0]))]
    for cited, following in zip(parts[1::2], parts[2::2], strict=True):
        button = (
            f'<button type="button" class="cite" data-cite="{cited}" '
            f'aria-label="Source {cited}">{cited}</button>'
        )
        written += [button, str(escape(following))]
    return "".join(written)


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table")
    markdown.disable(["html_block", "html_inline", "link", "image", "autolink", "reference"])
    markdown.disable(["entity", "heading", "lheading", "hr", "code", "fence"])
    markdown.add_render_rule("text", _render_text)
    return markdown


_MARKDOWN = _markdown()


def without_keys(sentence: str) -> str:
    """Leave the citation keys out of a sentence."""
    return _KEY.sub("", sentence).strip()


def citation_number(citation: Mapping[str, Any]) -> int:
    """Return the number in a citation's key."""
    match = _KEY.fullmatch(str(citation["citation_key"]))
    return int(match[1]) if match else 0


def pretty_json(value: object) -> str:
    """Write a value as JSON that a person can edit."""
    return json.dumps(value, indent=2, ensure_ascii=False)


FILTERS = {
    "size": size,
    "moment": moment,
    "number": number,
    "usd": usd,
    "answer": answer,
    "without_keys": without_keys,
    "citation_number": citation_number,
    "tojson_pretty": pretty_json,
}
