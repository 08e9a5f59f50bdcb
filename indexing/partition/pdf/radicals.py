"""Name the Chinese characters that a PDF names as radicals, the parts of characters.

Fonts draw a character and the radical of its form with one shape. Programs that ask the font back
what a shape stands for (Qt, browsers, macOS) get the radical of some: `⽅⾯` for `方面`.
"""

import re
import unicodedata

_RADICAL = re.compile("[\u2e80-\u2fd5]")
# What Unicode has no other name for, as it has for those of the dictionary of Kangxi.
_OTHERS = dict(
    zip(
        "⺎⺐⺒⺓⺟⺠⻁⻄⻅⻆⻉⻋⻑⻓⻔⻘⻙⻚⻛⻜⻝⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳",
        "兀尢巳幺母民虎西见角贝车長长门青韦页风飞食马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟",
        strict=True,
    )
)


def with_characters(text: str) -> str:
    """Return the text with the characters that have the forms of its radicals, one for each."""
    return _RADICAL.sub(_character, text)


def _character(radical: re.Match[str]) -> str:
    return _OTHERS.get(radical[0]) or unicodedata.normalize("NFKC", radical[0])
