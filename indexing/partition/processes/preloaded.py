"""Imported by the process that readers are forked from: what each would have to load itself.

The models hold no threads, so a fork of them works; their weights stay shared between readers.
"""

import gc
from importlib import import_module

from PIL import Image

from indexing.memory import give_back, keep_no_large_pieces
from indexing.ocr_models import load_models

load_models()

# What libraries import when they first need it. A reader may not keep what it compiles, so each
# would do so anew: a tenth of a second for the first of these.
for name in (
    "numpy.ma",
    *("encodings.cp437", "encodings.utf_16_le", "encodings.utf_32_le", "encodings.utf_8_sig"),
):
    import_module(name)
Image.init()

# What is there now is there for good. The collector of a reader would look at all of it, and
# thereby make a copy of nearly every page.
gc.collect()
gc.freeze()
gc.enable()

# What a page leaves behind is let go without the collector, which is asked only for cycles. By
# default it looks for them with every 700 words or so of a table: 3 % of the reading of text.
gc.set_threshold(20_000)

# What loading took beyond that goes back to the system, some 20 MB; what recognising takes, too.
give_back()
keep_no_large_pieces()
