"""Markdown as GitHub's own parser reads it, and what a reader and GitHub's filters then see."""

import html.parser

import cmarkgfm
from cmarkgfm.cmark import Options

BREAK = "\u200b"


class _Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.texts, self.cells, self.codes = [], [], [], [], []
        self.comments, self.open = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in {"br", "hr", "img", "input"}:
            self.open.append(tag)
        if tag in {"td", "th"}:
            self.cells.append("")
        if tag == "code":
            self.codes.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_comment(self, data):
        self.comments.append(data)

    def handle_data(self, data):
        self.texts.append((data, tuple(self.open)))
        if {"td", "th"} & set(self.open):
            self.cells[-1] += data
        if "code" in self.open:
            self.codes[-1] += data

    @property
    def text(self):
        return "".join(data for data, _ in self.texts)

    @property
    def links(self):
        return [value for name, value in self.attributes if name == "href"]


def rendered(markdown):
    """The document as read; `tags` in order, `texts` with the elements they stand in."""
    reader = _Reader()
    reader.feed(cmarkgfm.github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE))
    reader.close()
    assert reader.open == []
    return reader
