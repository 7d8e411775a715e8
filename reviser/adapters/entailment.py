"""Natural language inference and grounding models, loaded through sentence-transformers."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from reviser.errors import ReviserError
from reviser.ports import Entailed

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

INSTALL = "pip install 'reviser-bot[models]' --extra-index-url https://download.pytorch.org/whl/cpu"
BATCH = 1
"""Padding to a longer neighbour alters the last bits; one by one, a judgement follows from its
pair alone, so that a run which knows some of them gives the same figures as one that knows none."""
MAX_CHARACTERS = 8000
"""Of either side of a pair; a model's window is far shorter, and the tokenizer cuts there."""

_ENTAILS = frozenset({"entailment", "entails", "entail", "supported", "supports", "support"})
_CONTRADICTS = frozenset(
    {"contradiction", "contradicts", "contradict", "refuted", "refutes", "refute"}
)
_NEUTRAL = frozenset(
    {"neutral", "nei", "not enough info", "not_enough_info", "noinfo", "no info", "silent"}
)
_NEGATIVE = frozenset(
    {
        "not_entailment", "not entailment", "non_entailment", "non-entailment",
        "unsupported", "not supported", "not_supported", "hallucinated", "inconsistent",
    }
)  # fmt: skip
_CONSISTENT = frozenset({"consistent", "grounded", "factual"})


@dataclass(frozen=True, slots=True)
class Order:
    """Which output of the model stands for what. `contradicts` is None in a binary model;
    `single` marks a model with one output, the logit of being grounded."""

    entails: int
    contradicts: int | None
    single: bool = False


def label_order(id2label: Mapping[int, str]) -> Order | None:
    """The meaning of a model's outputs read from its own label names; None when they do not say.

    Unnamed labels (`LABEL_0` …) say nothing about a three-way model: published models use both
    orders, and a guess would turn contradictions into support. With two unnamed labels the second
    is the positive one, with one it is the score: so do all published grounding models we know.
    """
    names = {index: name.strip().lower() for index, name in id2label.items()}
    entails = [i for i, n in names.items() if n in _ENTAILS or n in _CONSISTENT]
    contradicts = [i for i, n in names.items() if n in _CONTRADICTS]
    unnamed = all(n in (f"label_{i}", str(i)) for i, n in names.items())
    if len(names) == 1:
        return Order(0, None, single=True) if unnamed or entails else None
    if len(names) == 2 and unnamed:
        return Order(1, None)
    if len(entails) != 1:
        return None
    others = {i: n for i, n in names.items() if i not in entails}
    if len(names) == 2 and all(n in _NEGATIVE | _CONTRADICTS | _NEUTRAL for n in others.values()):
        # With no third class, "not entailed" mixes silence and contradiction: it accuses nobody.
        return Order(entails[0], None)
    neutral = [i for i, n in names.items() if n in _NEUTRAL]
    if len(names) == 3 and len(contradicts) == 1 and len(neutral) == 1:
        return Order(entails[0], contradicts[0])
    return None


def probabilities(logits: Sequence[float], order: Order) -> Entailed:
    """Softmax (one output: the logistic function) over a model's outputs, read by `order`.

    A model that answers with something that is not a number has said nothing: entails 0.
    """
    if not all(math.isfinite(value) for value in logits):
        return Entailed(0.0, None if order.contradicts is None else 0.0)
    if order.single:
        return Entailed(0.5 * (1.0 + math.tanh(0.5 * logits[0])), None)
    top = max(logits)
    weights = [math.exp(value - top) for value in logits]
    total = sum(weights)
    contradicts = None if order.contradicts is None else weights[order.contradicts] / total
    return Entailed(weights[order.entails] / total, contradicts)


class CrossEncoderEntailment:
    """An `Entailment` over any three-way NLI or binary grounding cross-encoder.

    `name_or_path` is a folder on this machine or a model's public name; a folder is read with the
    network switched off. Code that comes with a model is never run.
    """

    def __init__(self, name_or_path: str, *, device: str = "cpu") -> None:
        """Load the model. Raises ReviserError when the extra, the model or its labels lack."""
        self._name = name_or_path
        self._model = _load(name_or_path, device)
        labels = _labels(self._model)
        order = label_order(labels)
        if order is None:
            said = ", ".join(f"{i}: {n}" for i, n in sorted(labels.items())) or "nothing"
            raise ReviserError(
                f"the outputs of {name_or_path} cannot be told apart: its labels are {said}",
                hint="Use a model whose config names them (entailment, neutral, contradiction; "
                "or supported, unsupported).",
            )
        self._order = order

    @property
    def name(self) -> str:
        """The model's name or path, as it was given."""
        return self._name

    @cached_property
    def version(self) -> str:
        """What its judgements follow from. Raises as `model_identity`."""
        return model_identity(self._name)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Entailed]:
        """One judgement per (premise, hypothesis), in their order."""
        if not pairs:
            return []
        from torch.nn import Identity  # noqa: PLC0415

        ready = [(_clean(premise), _clean(hypothesis)) for premise, hypothesis in pairs]
        outputs = self._model.predict(
            ready, batch_size=BATCH, show_progress_bar=False, activation_fn=Identity()
        )
        rows = [[float(v) for v in row] if row.ndim else [float(row)] for row in outputs]
        return [probabilities(row, self._order) for row in rows]


def _clean(text: str) -> str:
    return text[:MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def _labels(model: "CrossEncoder") -> dict[int, str]:
    config = model.model.config
    declared = getattr(config, "id2label", None) or {}
    labels = {int(index): str(name) for index, name in declared.items()}
    count = int(getattr(config, "num_labels", len(labels)))
    return {i: labels.get(i, f"LABEL_{i}") for i in range(count)}


def model_identity(name_or_path: str) -> str:
    """What a model's judgements follow from: a folder's is the SHA-256 of its files, a public
    model's its name, by which it is downloaded once and then kept.

    Raises ReviserError when the extra 'models' or the folder is not there; loads nothing.
    """
    if find_spec("sentence_transformers") is None:
        raise _not_installed()
    folder = Path(name_or_path)
    if not folder.is_dir():
        _name_checked(name_or_path)
        return f"public {name_or_path}"
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode("utf-8", "surrogateescape"))
        try:
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
        except OSError as error:
            raise ReviserError(f"{path} cannot be read ({error.strerror})") from error
    return f"folder {digest.hexdigest()}"


def _not_installed() -> ReviserError:
    return ReviserError(
        "a citation verifier needs the extra 'models', which is not installed", hint=INSTALL
    )


def _name_checked(name: str) -> None:
    """Raise ReviserError for the name of a folder that is not there."""
    if name.startswith((".", "/", "~")) or name.count("/") > 1:
        raise ReviserError(
            f"there is no folder {name}",
            hint="Give a folder that holds config.json and the weights, or a public model's name.",
        )


def _load(name_or_path: str, device: str) -> "CrossEncoder":
    try:
        from sentence_transformers import CrossEncoder  # noqa: PLC0415
    except ImportError as error:
        raise _not_installed() from error
    local = Path(name_or_path).is_dir()
    if not local:
        _name_checked(name_or_path)
    try:
        return CrossEncoder(
            name_or_path, device=device, local_files_only=local, trust_remote_code=False
        )
    except (OSError, ValueError, RuntimeError, KeyError, ImportError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
        raise ReviserError(
            f"the model {name_or_path} could not be loaded: {reason}",
            hint="Check the name or the folder; without a network give a local folder.",
        ) from error
