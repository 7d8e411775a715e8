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
    path = "sections/retrieval.tex"
    changed = mended()[path].replace(b"On graphics processors,", b"On modern graphics processors,")
    assert changed != mended()[path]
    scene.paper.branch("draft")
    scene.paper.commit("draft", {path: changed}, "Sharper", author="author")
    pull = scene.paper.open_pull("draft", author="author")
    job = scene.review(pull, inputs={"verifier": "nli", "nli": str(model)})
    assert job.code == 0, job.log
    [comment] = [c for c in ours(pull) if "citation-contradicted" in c.body]
    assert "```suggestion" in comment.body
    scene.paper.apply_suggestion(comment, by="author")
    # The little verifier holds that only the other work entails the sentence.
    wanted = changed.replace(
        b"\\citet{johnson2021faiss} present", b"\\citet{malkov2020hnsw} present"
    )
    assert wanted != changed
    assert scene.paper.read("draft", path) == wanted
