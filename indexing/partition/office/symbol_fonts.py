"""Say in Unicode what a sign of a symbol font shows, as far as it means something in a text."""

import re

PRIVATE_USE = 0xF000
"""Word adds this to the numbers of signs in fonts that have no letters."""

_PRIVATE_SIGN = re.compile("[\uf020-\uf0ff]")

_SYMBOL = {
    **{code: chr(code) for code in b"!#%&()+,./0123456789:;<=>?[]_{|}"},
    **dict(zip(b"\x22\x24\x27\x2a\x2d\x40\x5c\x5e\x7e", "∀∃∋∗−≅∴⊥∼", strict=True)),
    **dict(enumerate("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", start=ord("A"))),
    **dict(enumerate("αβχδεφγηιϕκλμνοπθρστυϖωξψζ", start=ord("a"))),
    **dict(enumerate("€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…", start=0xA0)),
    **dict(enumerate("ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑", start=0xC0)),
    **dict(zip(b"\xbf\xf1\xf2", "↵⟩∫", strict=True)),
}
_WINGDINGS = {
    **dict(zip(b"\x21\x22\x28\x2a\x36\x3f\x45\x46", "✏✂☎✉⌛✍☜☞", strict=True)),
    **dict(zip(b"\x4a\x4c\x6c\x6d\x6e\x6f\x71\x72", "☺☹●❍■□❑❒", strict=True)),
    **dict(zip(b"\x75\x76\x77\x9f\xa1\xa7\xa8\xab\xd8\xe8", "◆❖⬥•○▪◻★➢➔", strict=True)),
    **dict(enumerate("←→↑↓↖↗↙↘", start=0xDF)),
    **dict(enumerate("⇦⇨⇧⇩⬄⇳", start=0xEF)),
    **dict(enumerate("✗✓☒☑", start=0xFB)),
}
_SIGNS = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": dict(enumerate("✗✓☒☑☒", start=0x4F)),
    "wingdings 3": dict(enumerate("←→↑↓", start=0x66)),
    "webdings": {0x61: "✔", 0x72: "✖"},
}
"""By the name of the font in small letters, and the number of the sign in it."""


def sign(font: str, code: int) -> str:
    """Return the character that looks like the sign, "" where none is known."""
    if signs := _SIGNS.get(font.lower()):
        return signs.get(code - PRIVATE_USE if code >= PRIVATE_USE else code, "")
    is_character = 0x20 < code < 0xD800
    return chr(code) if is_character else ""


def with_signs(font: str, text: str) -> str:
    """Return the text with its signs of a symbol font in Unicode, of another font as it is."""
    if not is_symbol_font(font):
        return text
    return _PRIVATE_SIGN.sub(lambda found: sign(font, ord(found[0])), text)


def is_symbol_font(font: str) -> bool:
    """Tell whether signs of the font are known here."""
    return font.lower() in _SIGNS
