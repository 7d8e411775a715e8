"""A verifier model on a pull request: what it says becomes a suggestion in the diff."""

from pathlib import Path

import pytest

from tests.e2e.papers import mended
from tests.e2e.scene import Scene, ours
from tests.e2e.tiny_verifier import teach


@pytest.mark.models
def test_a_contradicted_citation_becomes_a_suggestion(scene: Scene, tmp_path: Path) -> None:
    texts = [data.decode() for data in mended().values()]
    model = teach(tmp_path / "verifier", texts, strange="gpus")
    right = b"\\citep{malkov2020hnsw}"
    wrong = b"\\citep{malkov2020hnsw,johnson2021faiss}"
    path = "sections/retrieval.tex"
    scene.paper.branch("draft")
    changed = mended()[path].replace(right, wrong)
    assert changed != mended()[path]
    scene.paper.commit("draft", {path: changed}, "One more work", author="author")
    pull = scene.paper.open_pull("draft", author="author")
    job = scene.review(pull, inputs={"verifier": "nli", "nli": str(model)})
    assert job.code == 0, job.log
    [comment] = [c for c in ours(pull) if "citation-contradicted" in c.body]
    assert "```suggestion" in comment.body
    scene.paper.apply_suggestion(comment, by="author")
    assert scene.paper.read("draft", path) == mended()[path]
