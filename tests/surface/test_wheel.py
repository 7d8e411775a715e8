"""What is installed holds what the program needs: templates, tokenizer, types."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    target = folder / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def tracked(folder):
    told = subprocess.run(
        ["git", "ls-files", "-z", "--", folder], cwd=ROOT, check=False, capture_output=True
    )
    names = [name for name in told.stdout.decode().split("\0") if name]
    if told.returncode != 0 or not names:
        names = [p.relative_to(ROOT).as_posix() for p in (ROOT / folder).rglob("*") if p.is_file()]
    return names


def test_every_template_is_packaged(unpacked):
    names = tracked("templates")
    assert names
    for name in names:
        packaged = unpacked / "reviser" / "_templates" / name.removeprefix("templates/")
        assert packaged.read_bytes() == (ROOT / name).read_bytes(), name


def test_tokenizer_and_type_marker_are_packaged(unpacked):
    assert (unpacked / "reviser" / "py.typed").is_file()
    assert (unpacked / "reviser" / "adapters" / "minilm" / "tokenizer.json").is_file()


def test_the_installed_package_finds_its_templates(unpacked, tmp_path):
    program = (
        "import reviser, reviser.templates as t;"
        "print(reviser.__path__[0]); print(t.template('demo').joinpath('main.tex').is_file());"
        "print(len(t.template_text('reviser.toml')) > 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [str(unpacked / "reviser"), "True", "True"]
