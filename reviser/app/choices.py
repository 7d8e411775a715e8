"""The words that settings know, apart from their reading so that `reviser --help` loads little."""

BASELINE_FILE = "reviser-baseline.json"
LOCK_FILE = "reviser.lock"
LOCK = ("auto", "on", "off")
FAIL_ON = ("error", "warning", "note", "never")
CLAIMS = ("group", "sentence")
REPAIR = ("default", "unsupported", "off")
VERIFIERS = ("embedded", "nli", "llm", "ensemble")
CHATTING = frozenset({"llm", "ensemble"})
DATASETS = ("pairs", "scifact", "citation-integrity", "wice", "healthver", "aggrefact")
SCALES = ("verdict", "grade")
DEFAULT_NLI = "MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli"
MODES = ("suggest", "follow-up-pr", "commit", "patch")
STAGES = ("all", "plan", "deliver")
MOST_INLINE = 30
WORKFLOWS = (
    "pull-request",
    "pull-request-model",
    "fork-delivery",
    "commands",
    "commands-model",
    "overleaf",
    "whole-paper",
)
TIES = ("reject", "accept", "pairwise")
STRATEGIES = ("references-first", "rewrite-first", "both")
MOST_ROUNDS = 5
SERVICES = ("openalex", "semantic-scholar", "crossref", "arxiv")

CORPUS = ".reviser/corpus.db"
"""Where a paper's own corpus lies, beneath its root."""
