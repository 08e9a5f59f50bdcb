"""Imported by the process that readers are forked from: what each would have to load itself.

The models hold no threads, so a fork of them works; their weights stay shared between readers.
"""

from indexing.ocr import load_models

load_models()
