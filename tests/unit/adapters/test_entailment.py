"""Verifier models: the meaning of their outputs, and the real loading path on tiny weights."""

import json
import sys
from pathlib import Path

import pytest

from reviser.adapters.entailment import (
    CrossEncoderEntailment,
    Order,
    label_order,
    model_identity,
    probabilities,
)
from reviser.errors import ReviserError

THREE_WAY = {0: "entailment", 1: "neutral", 2: "contradiction"}


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (THREE_WAY, Order(0, 2)),
        ({0: "CONTRADICTION", 1: "ENTAILMENT", 2: "NEUTRAL"}, Order(1, 0)),
        ({0: "REFUTES", 1: "SUPPORTS", 2: "NOT ENOUGH INFO"}, Order(1, 0)),
        ({0: "entailment", 1: "not_entailment"}, Order(0, None)),
        ({0: "hallucinated", 1: "consistent"}, Order(1, None)),
        ({0: "unsupported", 1: "supported"}, Order(1, None)),
        ({0: "LABEL_0", 1: "LABEL_1"}, Order(1, None)),
        ({0: "LABEL_0"}, Order(0, None, single=True)),
        ({0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"}, None),
        ({0: "positive", 1: "negative", 2: "neutral"}, None),
        ({0: "toxic"}, None),
        ({}, None),
    ],
)
def test_the_order_of_outputs_is_read_or_refused(
    labels: dict[int, str], order: Order | None
) -> None:
    assert label_order(labels) == order


def test_probabilities_sum_to_one_and_survive_extremes() -> None:
    order = Order(0, 2)
    judged = probabilities([1000.0, 0.0, -1000.0], order)
    assert judged.entails == pytest.approx(1.0)
    assert judged.contradicts == pytest.approx(0.0)
    assert probabilities([0.0], Order(0, None, single=True)).entails == pytest.approx(0.5)
    assert probabilities([-2000.0], Order(0, None, single=True)).entails == pytest.approx(0.0)
    lost = probabilities([float("nan"), 0.0, 0.0], order)
    assert (lost.entails, lost.contradicts) == (0.0, 0.0)


def test_without_the_extra_the_user_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ReviserError, match="extra 'models'") as caught:
        CrossEncoderEntailment("some/model")
    with pytest.raises(ReviserError, match="extra 'models'"):
        model_identity("some/model")
    assert "pip install 'reviser-bot[models]'" in caught.value.hint


def tiny_model(folder: Path, labels: dict[int, str]) -> Path:
    """A two-layer BERT with random weights and a vocabulary of a few words, saved to `folder`."""
    import torch  # noqa: PLC0415 - only these tests need it
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast  # noqa: PLC0415

    torch.manual_seed(7)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cats", "sleep", "dogs", "bark", "."]
    folder.mkdir()
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(words), encoding="utf-8")
    BertTokenizerFast(vocab_file=str(vocabulary), model_max_length=64).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(words), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64, num_labels=len(labels),
        id2label=labels, label2id={name: index for index, name in labels.items()},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(folder)
    return folder


@pytest.mark.models
@pytest.mark.filterwarnings("default")
class TestLoading:
    PAIRS = (("cats sleep .", "cats sleep ."), ("dogs bark .", "cats sleep . " * 200), ("", ""))

    def test_a_three_way_model_is_loaded_from_a_folder(self, tmp_path: Path) -> None:
        folder = tiny_model(tmp_path / "three", THREE_WAY)
        model = CrossEncoderEntailment(str(folder))
        first = model.judge(self.PAIRS)
        assert len(first) == 3
        for judged in first:
            assert judged.contradicts is not None
            assert 0.0 < judged.entails + judged.contradicts < 1.0
        assert list(model.judge(self.PAIRS)) == list(first)
        assert model.judge([]) == []
        assert model.name == str(folder)

    def test_a_judgement_does_not_depend_on_its_neighbours(self, tmp_path: Path) -> None:
        model = CrossEncoderEntailment(str(tiny_model(tmp_path / "three", THREE_WAY)))
        together = model.judge(self.PAIRS)
        assert [model.judge([pair])[0] for pair in self.PAIRS] == list(together)

    def test_the_labels_decide_the_columns(self, tmp_path: Path) -> None:
        folder = tiny_model(tmp_path / "one", THREE_WAY)
        before = CrossEncoderEntailment(str(folder)).judge(self.PAIRS)[0]
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        config["id2label"] = {"0": "contradiction", "1": "neutral", "2": "entailment"}
        config["label2id"] = {"contradiction": 0, "neutral": 1, "entailment": 2}
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        after = CrossEncoderEntailment(str(folder)).judge(self.PAIRS)[0]
        assert before.entails == pytest.approx(after.contradicts)
        assert before.contradicts == pytest.approx(after.entails)

    @pytest.mark.parametrize("labels", [{0: "hallucinated", 1: "consistent"}, {0: "LABEL_0"}])
    def test_binary_models_never_contradict(self, tmp_path: Path, labels: dict[int, str]) -> None:
        model = CrossEncoderEntailment(str(tiny_model(tmp_path / "binary", labels)))
        for judged in model.judge(self.PAIRS):
            assert judged.contradicts is None
            assert 0.0 <= judged.entails <= 1.0

    def test_unnamed_three_way_labels_are_refused(self, tmp_path: Path) -> None:
        folder = tiny_model(tmp_path / "unnamed", {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"})
        with pytest.raises(ReviserError, match="cannot be told apart"):
            CrossEncoderEntailment(str(folder))

    def test_a_folder_is_known_by_its_contents(self, tmp_path: Path) -> None:
        folder = tiny_model(tmp_path / "one", THREE_WAY)
        before = model_identity(str(folder))
        folder.rename(tmp_path / "two")
        assert model_identity(str(tmp_path / "two")) == before
        config = tmp_path / "two" / "config.json"
        config.write_text(config.read_text(encoding="utf-8") + " ", encoding="utf-8")
        assert model_identity(str(tmp_path / "two")) != before
        assert model_identity("some/model") == "public some/model"
        with pytest.raises(ReviserError, match="there is no folder"):
            model_identity(str(tmp_path / "one"))

    def test_a_folder_that_is_no_model_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ReviserError, match="could not be loaded"):
            CrossEncoderEntailment(str(tmp_path))
        with pytest.raises(ReviserError, match="there is no folder"):
            CrossEncoderEntailment(str(tmp_path / "absent"))
