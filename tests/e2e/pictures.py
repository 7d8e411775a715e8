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

import cmarkgfm
from cmarkgfm.cmark import Options

from tests.e2e.act import CHECKOUT

IMAGES = CHECKOUT / ".github" / "images"
_SUGGESTION = re.compile(r'<pre lang="suggestion"><code>(.*?)</code></pre>', re.DOTALL)
_STYLE = """
body { font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: #1f2328;
  margin: 16px; width: 860px; background: #fff }
.comment { border: 1px solid #d1d9e0; border-radius: 6px; margin-bottom: 16px }
.who { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 6px 16px; color: #59636e }
.who b { color: #1f2328 } .who i { border: 1px solid #d1d9e0; border-radius: 2em; padding: 0 6px; font-style: normal;
  font-size: 12px }
.body { padding: 16px } code { background: #eff1f3; border-radius: 6px; padding: .2em .4em; font: 12px monospace }
pre { background: #f6f8fa; border-radius: 6px; padding: 12px; overflow: auto; white-space: pre-wrap }
pre code { background: none; padding: 0 } a { color: #0969da; text-decoration: none }
table { border-collapse: collapse; display: block; max-width: 100%; overflow: auto }
td, th { border: 1px solid #d1d9e0; padding: 6px 13px; vertical-align: top }
tr:nth-child(2n) { background: #f6f8fa } blockquote { border-left: 4px solid #d1d9e0; color: #59636e; margin: 0 0 12px;
  padding: 0 12px } h2, h3 { margin: 0 0 12px; line-height: 1.25 } h2 { font-size: 20px } summary { cursor: pointer }
details { margin-bottom: 8px } del { color: #82071e; background: #ffebe9 } ins { background: #dafbe1 }
.lines { border: 1px solid #d1d9e0; border-radius: 6px; overflow: hidden; margin: 8px 0 16px; font: 12px/20px monospace }
.lines p { margin: 0; padding: 6px 12px; background: #f6f8fa; border-bottom: 1px solid #d1d9e0; font-family: inherit }
.lines div { white-space: pre-wrap; padding: 0 12px } .old { background: #ffebe9 } .new { background: #dafbe1 }
.button { text-align: right; padding: 6px 12px !important } .button span { background: #1f883d; color: #fff;
  border-radius: 6px; padding: 4px 12px; font-family: sans-serif }
"""


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


def picture(comments: Sequence[str], target: Path, *, height: int, unfold: bool = False) -> None:
    """Photograph the comments, one below the other."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    assert chromium is not None, "Chromium is not installed"
    page = target.with_suffix(".html")
    body = "".join(comments)
    if unfold:
        body = body.replace("<details>", "<details open>")
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
