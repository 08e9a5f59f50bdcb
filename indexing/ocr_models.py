"""The models of RapidOCR: where text is in a picture, which way up it stands, and what it says.

They lie in RapidOCR's wheel and are named by their path, so nothing is ever downloaded.
"""

import copy
import functools
import logging
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import rapidocr
from rapidocr.ch_ppocr_cls import TextClassifier
from rapidocr.ch_ppocr_det import TextDetector
from rapidocr.ch_ppocr_rec import TextRecognizer
from rapidocr.utils.parse_parameters import ParseParams

from indexing.greek import GreekDecoder
from indexing.line_decoder import LineDecoder

Picture = npt.NDArray[np.uint8]
"""Rows of pixels, each blue, green and red."""

Mask = npt.NDArray[np.bool_]
"""As many rows and columns as its picture."""

WHEEL = Path(rapidocr.__file__).parent
MODELS = WHEEL / "models"

PARAMETERS: dict[str, object] = {
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "Det.model_path": str(MODELS / "PP-OCRv6_det_small.onnx"),
    "Det.limit_type": "max",
    # The score of a place is taken within its outline: single digits beside a column are kept.
    "Det.score_mode": "slow",
    "Cls.model_path": str(MODELS / "ch_ppocr_mobile_v2.0_cls_mobile.onnx"),
    "Rec.model_path": str(MODELS / "PP-OCRv6_rec_small.onnx"),
    # One line at a time, none padded to the width of another: half the time.
    "Rec.rec_batch_num": 1,
    "Rec.rec_img_shape": [3, 48, 48],
}


@dataclass(frozen=True, slots=True)
class Models:
    detector: TextDetector
    classifier: TextClassifier
    recognizer: TextRecognizer
    greek_recognizer: TextRecognizer


def load_models() -> None:
    """Load what the first recognition would have to wait for."""
    models()


@functools.cache
def models() -> Models:
    """Load the models, once in each process."""
    cv2.setNumThreads(1)
    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    config = ParseParams.update_batch(ParseParams.load(WHEEL / "config.yaml"), PARAMETERS)
    for part in (config.Det, config.Cls, config.Rec):
        part.engine_cfg = config.EngineConfig.onnxruntime
    config.Rec.font_path = None
    recognizer = TextRecognizer(config.Rec)
    greek = copy.copy(recognizer)
    # They are called like RapidOCR's own.
    greek.postprocess_op = GreekDecoder(recognizer.postprocess_op.character)  # type: ignore[assignment]
    recognizer.postprocess_op = LineDecoder(recognizer.postprocess_op)  # type: ignore[assignment]
    return Models(TextDetector(config.Det), TextClassifier(config.Cls), recognizer, greek)
