"""What is loaded when: the help reads no paper, the core wants no numbers library."""

import subprocess
import sys

import pytest


def loaded_by(statement: str) -> set[str]:
    """The names of all modules a fresh Python has after `statement`."""
    script = f"{statement}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return set(done.stdout.split())


def test_the_command_line_starts_without_what_reads_papers() -> None:
    loaded = loaded_by("import reviser.app.cli")
    rooms = {"adapters", "latex", "manuscript", "pipeline", "review", "revise", "text", "verify"}
    assert not {f"reviser.{room}" for room in rooms} & loaded
    assert not {"numpy", "onnxruntime", "rich", "pydantic", "jinja2", "tomllib", "openai"} & loaded


@pytest.mark.parametrize("core", ["reviser.manuscript.load", "reviser.pipeline.improving"])
def test_the_core_needs_neither_numpy_nor_a_model(core: str) -> None:
    assert not {"numpy", "onnxruntime", "tokenizers", "torch", "nltk"} & loaded_by(f"import {core}")


@pytest.mark.parametrize("module", ["delivering", "carrying", "acting", "reviewing"])
def test_no_model_is_loaded_before_one_is_asked(module: str) -> None:
    loaded = loaded_by(f"import reviser.app.pull.{module}")
    assert not {"numpy", "onnxruntime", "tokenizers", "torch", "sentence_transformers"} & loaded
