"""Show a pull request's conversation as people see it: GitHub's Markdown parser, then a browser.

    python -m tests.e2e.pictures        # writes .github/images/*.png; needs Chromium

The layout is ours and plain; the Markdown is rendered by cmark-gfm, which GitHub uses.
"""

import html
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import cmarkgfm
from cmarkgfm.cmark import Options

from tests.e2e.act import CHECKOUT, Runner
from tests.e2e.papers import mended
from tests.e2e.scene import FAULTY, FULL_NAME, Scene, ours, summaries
from tests.fakes.canned import canned
from tests.fakes.github.model import Pull
from tests.fakes.github.server import FakeGitHub
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.reviewed_paper import after, before

IMAGES = CHECKOUT / ".github" / "images"
SHOWN = (*FAULTY, "wrong-work-inference-corpus", "key-misspelt", "todo-left")
HEIGHTS = (575, 455, 1680)  # pixels, as much as the pictures need
_SUGGESTION = re.compile(r'<pre lang="suggestion"><code>(.*?)</code></pre>', re.DOTALL)
_STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")


def rendered(markdown: str) -> str:
    """The HTML of a comment, by GitHub's parser with its extensions."""
    return str(cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE))


def comment(markdown: str, *, where: str = "", old: Sequence[str] = ()) -> str:
    """One comment in its frame; a suggestion is shown as the lines it replaces and brings."""

    def lines(found: re.Match[str]) -> str:
        new = html.unescape(found[1]).split("\n")[:-1]
        rows = [f'<div class="old">- {html.escape(line)}</div>' for line in old]
        rows += [f'<div class="new">+ {html.escape(line)}</div>' for line in new]
        button = '<div class="button"><span>Commit suggestion</span></div>'
        return f'<div class="lines"><p>Suggested change</p>{"".join(rows)}{button}</div>'

    body = _SUGGESTION.sub(lines, rendered(markdown))
    place = f" commented on <code>{html.escape(where)}</code>" if where else " commented"
    who = f'<div class="who"><b>github-actions</b> <i>bot</i>{place}</div>'
    return f'<div class="comment">{who}<div class="body">{body}</div></div>'


def picture(comments: Sequence[str], target: Path, *, height: int) -> None:
    """Photograph the comments, one below the other."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    assert chromium is not None, "Chromium is not installed"
    page = target.with_suffix(".html")
    body = "".join(comments)
    page.write_text(
        f'<!doctype html><meta charset="utf-8"><style>{_STYLE}</style>{body}', encoding="utf-8"
    )
    subprocess.run(
        [
            chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--hide-scrollbars", f"--window-size=900,{height}",
            f"--screenshot={target}", page.as_uri(),
        ],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    page.unlink()


def _scene(folder: Path, github: FakeGitHub, files: dict[str, bytes]) -> Scene:
    paper = github.repository(FULL_NAME)
    paper.commit("main", files, "The survey")
    (folder / "runner").mkdir()
    runner = Runner(folder / "runner", github.api_url, github.server_url, FULL_NAME)
    return Scene(github, paper, runner)


def _posted(scene: Scene, pull: Pull) -> list[str]:
    """The comments in the diff, each with the lines it stands on."""
    told = []
    for posted in ours(pull):
        text = (scene.paper.read(pull.head_branch, posted.path) or b"").decode()
        first = posted.start_line or posted.line or 1
        old = text.split("\n")[first - 1 : posted.line]
        told.append(comment(posted.body, where=f"{posted.path}:{posted.line}", old=old))
    return told


def checked(folder: Path) -> None:
    """Check a pull request of the bundled survey and photograph what was said."""
    with FakeGitHub(folder / "github") as github:
        scene = _scene(folder, github, mended())
        pull = scene.open_pull(*SHOWN)
        job = scene.review(pull)
        if not ours(pull):
            raise SystemExit(job.log)
        picture(_posted(scene, pull)[-1:], IMAGES / "suggestion.png", height=HEIGHTS[0])
        picture([comment(summaries(pull)[0].body)], IMAGES / "summary.png", height=HEIGHTS[1])


def reviewed(folder: Path) -> None:
    """Have a model with canned replies review one, and photograph that."""
    with FakeGitHub(folder / "github") as github, OpenAIServer(canned(after())) as server:
        scene = _scene(folder, github, before())
        scene.paper.branch("draft")
        scene.paper.commit("draft", after(), "A new draft", author="author")
        pull = scene.paper.open_pull("draft", author="author")
        jobs = scene.planned_and_delivered(pull, base_url=server.base_url, key="canned")
        if not ours(pull):
            raise SystemExit("\n".join(job.log for job in jobs))
        # What is folded is shown as somebody sees it who opens the review.
        body = summaries(pull)[0].body.replace("<details>", "<details open>", 2)
        picture(
            [*_posted(scene, pull)[:1], comment(body)], IMAGES / "review.png", height=HEIGHTS[2]
        )


def main() -> None:
    """Make all pictures anew."""
    IMAGES.mkdir(exist_ok=True)
    for show in (checked, reviewed):
        with TemporaryDirectory() as name:
            show(Path(name))


if __name__ == "__main__":
    main()
