from pathlib import Path

import pptx
from lxml import etree
from pptx.util import Inches

from indexing.partition.slides.presentation import open_pptx

FORMULA = """<a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"
 xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:oMathPara><m:oMath><m:f>
<m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>
</m:oMathPara></a14:m>"""


def test_a_formula_stands_among_the_words_of_its_paragraph(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    box = deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_textbox(
        0, 0, Inches(5), Inches(1)
    )
    paragraph = box.text_frame.paragraphs[0]
    paragraph.text = "The mean is "
    paragraph._p.append(etree.fromstring(FORMULA))
    paragraph.add_run().text = " of both."
    deck.save(str(tmp_path / "mean.pptx"))

    (page,) = open_pptx(tmp_path / "mean.pptx").pages

    assert page.blocks[0].text == "The mean is (a+b)/2 of both."
