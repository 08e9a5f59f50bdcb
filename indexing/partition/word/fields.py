"""Leave out what stands in the fields of a Word document and is no text of it.

These are the results of other fields in an instruction and, in heads and feet, the numbers of
pages: a head is read once, and the number saved in it is that of some page. ECMA-376 part 1, 17.16.
"""

import re
from dataclasses import dataclass, field

from indexing.partition.office.package_xml import Element
from indexing.partition.word.elements import P, T, W, text_of

FIELD, SIMPLE_FIELD, INSTRUCTION = (f"{W}{name}" for name in ("fldChar", "fldSimple", "instrText"))

# Its kind, and what it starts or where it leads, before what it shows.
_BUTTON = re.compile(r"\s*(?:MACROBUTTON|GOTOBUTTON)\s+(?:\"[^\"]*\"|\S+)\s+", re.IGNORECASE)

MAX_INSTRUCTION = 100  # characters; the kind of a field is its first word
AROUND_NUMBERS = " \t-–—|/·•.()[]"


@dataclass(slots=True)
class _Field:
    instruction: str = ""
    shows: bool = False  # what comes now is its result
    operands: list[Element] = field(default_factory=list)  # the texts within its instruction
    takes: "_Field | None" = None  # the outermost in whose instruction stands what comes now


def leave_out_operands(body: Element) -> None:
    """Empty what fields show within the instruction of another, as that shows what comes of it.

    Of letters to many, `{ IF { MERGEFIELD Sex } = "m" "Mr" "Mrs" }` shows no more than Mrs.
    """
    fields: list[_Field] = []  # each within the one before
    for node in body.iter(FIELD, T):
        kind = node.get(f"{W}fldCharType")
        if kind == "begin":
            begun = _Field()
            begun.takes = fields[-1].takes if fields and fields[-1].takes else begun
            fields.append(begun)
        elif not fields:
            continue
        elif kind == "separate" and fields[-1].takes is fields[-1]:
            fields[-1].takes = None
        elif kind == "end":
            # Only now: a field that is torn hides nothing.
            for operand in fields.pop().operands:
                operand.text = ""
        elif node.tag == T and (outer := fields[-1].takes):
            outer.operands.append(node)


def show_buttons(body: Element) -> None:
    """Make text of what buttons show, which stands in their instructions, as they have no result.

    Templates ask by them for what is to be typed: `{ MACROBUTTON NoMacro [Name of the client] }`.
    """
    fields: list[list[Element]] = []  # the instructions of each, within the one before
    for node in body.iter(FIELD, INSTRUCTION, T):
        kind = node.get(f"{W}fldCharType")
        if kind == "begin":
            fields.append([])
        elif not fields:
            continue
        elif kind == "end":
            _show_button(fields.pop())
        elif node.tag == INSTRUCTION:
            fields[-1].append(node)
        elif node.tag == T and node.text:
            fields[-1].clear()  # It has a result.


def _show_button(instructions: list[Element]) -> None:
    told = "".join(node.text or "" for node in instructions)
    button = _BUTTON.match(told)
    if not button:
        return
    before = button.end()
    for node in instructions:
        text = node.text or ""
        node.tag, node.text = T, text[before:]
        before = max(0, before - len(text))


def leave_out_page_numbers(header: Element) -> None:
    """Empty what each field shows that counts the pages, and the signs that stand around it alone.

    How many pages there are is true on all of them, and stays.
    """
    numbers = [*_simple_results(header), *_results(header)]
    for number in numbers:
        number.text = ""
    for paragraph in {next(number.iterancestors(P), None): None for number in numbers}:
        if paragraph is not None and not text_of(paragraph).strip(AROUND_NUMBERS):
            for text in paragraph.iter(T):
                text.text = ""


def _simple_results(header: Element) -> list[Element]:
    fields = (one for one in header.iter(SIMPLE_FIELD) if _is_page(one.get(f"{W}instr", "")))
    return [text for field in fields for text in field.iter(T)]


def _results(header: Element) -> list[Element]:
    """Return the texts that stand between the second and the last mark of a field."""
    found = []
    fields: list[_Field] = []  # each within the one before
    for node in header.iter(FIELD, INSTRUCTION, T):
        kind = node.get(f"{W}fldCharType")
        if kind == "begin":
            fields.append(_Field())
        elif not fields:
            continue
        elif kind == "separate":
            fields[-1].shows = True
        elif kind == "end":
            fields.pop()
        elif node.tag == INSTRUCTION:
            instruction = fields[-1].instruction + (node.text or "")
            fields[-1].instruction = instruction[:MAX_INSTRUCTION]
        elif node.tag == T and fields[-1].shows and _is_page(fields[-1].instruction):
            found.append(node)
    return found


def _is_page(instruction: str) -> bool:
    return instruction.upper().split()[:1] == ["PAGE"]
