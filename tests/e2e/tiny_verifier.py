"""A cross-encoder small enough to be taught in a test: it knows one thing about premises."""

import re
from pathlib import Path

LABELS = {0: "entailment", 1: "neutral", 2: "contradiction"}
_STEPS, _BATCH, _LONGEST = 120, 24, 96


def teach(folder: Path, texts: list[str], *, strange: str) -> Path:
    """A two-layer BERT with the vocabulary of `texts`, saved to `folder`, which says that a
    premise contradicts whatever is claimed when it has the word `strange`, and entails it
    otherwise. Its weights are tiny; the path by which they are loaded and asked is the real one."""
    import torch  # noqa: PLC0415 - only one test needs it
    from tokenizers import BertWordPieceTokenizer  # noqa: PLC0415
    from transformers import (  # noqa: PLC0415
        BertConfig,
        BertForSequenceClassification,
        PreTrainedTokenizerFast,
    )

    torch.manual_seed(7)
    torch.set_num_threads(1)  # on a busy machine several only wait for one another
    words = sorted({word for text in texts for word in re.findall(r"[a-z]+", text.lower())})
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    known = {word: number for number, word in enumerate([*special, *words])}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=BertWordPieceTokenizer(vocab=known)._tokenizer,
        model_max_length=_LONGEST,
        **{f"{name.strip('[]').lower()}_token": name for name in special},
    )
    config = BertConfig(
        vocab_size=len(special) + len(words), hidden_size=32, num_hidden_layers=1,
        num_attention_heads=2, intermediate_size=32, max_position_embeddings=_LONGEST,
        num_labels=3, id2label=LABELS, label2id={name: n for n, name in LABELS.items()},
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    model = BertForSequenceClassification(config)
    mark = len(special) + words.index(strange)
    with torch.no_grad():  # words that carry nothing look alike, which makes it a quick learner
        model.bert.embeddings.word_embeddings.weight[len(special) :] *= 0.1
        model.bert.embeddings.word_embeddings.weight[mark] = torch.randn(32)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    common = [n for n in range(len(special), config.vocab_size) if n != mark]
    for _ in range(_STEPS):
        premise = torch.tensor(common)[torch.randint(len(common), (_BATCH, 60))]
        claim = torch.tensor(common)[torch.randint(len(common), (_BATCH, 25))]
        wrong = torch.rand(_BATCH) < 0.5
        places = torch.randint(60, (_BATCH,))
        premise[wrong, places[wrong]] = mark
        edge = torch.full((_BATCH, 1), 2), torch.full((_BATCH, 1), 3)
        ids = torch.cat([edge[0], premise, edge[1], claim, edge[1]], dim=1)
        kinds = torch.cat([torch.zeros(_BATCH, 62), torch.ones(_BATCH, 26)], dim=1).long()
        told = model(input_ids=ids, token_type_ids=kinds, labels=wrong.long() * 2)
        optimizer.zero_grad()
        told.loss.backward()
        optimizer.step()
    assert told.loss.item() < 0.05, "the little model did not learn"
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
