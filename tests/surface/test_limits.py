"""The habits that keep the code readable, held to by counting."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import reviser

PACKAGE = Path(reviser.__path__[0])
MODULES = sorted(PACKAGE.rglob("*.py"))
# "About 400": the tail is what rots, so it is the tail that is cut off.
MOST_LINES = 400
MOST_FUNCTION_LINES = 60
HEAVY = {
    "numpy", "onnxruntime", "tokenizers", "torch", "sentence_transformers", "bibtexparser",
    "TexSoup", "pypdf", "rich", "jinja2", "pydantic", "openai", "rouge_score", "nltk", "usearch",
}  # fmt: skip


def name(path):
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_module(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert "utils" not in path.stem
    assert "helpers" not in path.stem
    if path.name == "__init__.py":
        assert not text
        return
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module opens by saying what it is for"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            length = (node.end_lineno or node.lineno) - first + 1
            assert length <= MOST_FUNCTION_LINES, f"{node.name} has {length} lines"
        if isinstance(node, ast.ExceptHandler):
            caught = node.type.id if isinstance(node.type, ast.Name) else ""
            assert node.type is not None
            assert caught != "Exception", f"line {node.lineno}"


def test_the_command_line_starts_without_heavy_libraries():
    program = f"import sys, reviser.app.cli; print(sorted({HEAVY} & sys.modules.keys()))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
