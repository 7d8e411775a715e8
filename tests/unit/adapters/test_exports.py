import os

import pytest

from reviser.adapters.exports import read_exports
from reviser.adapters.source_folder import beginning_of, read_bytes, read_text, unnamed_files
from reviser.errors import UsageError

BIB = "@article{a, title = {Sea level in the German Bight}, author = {Behrens, A.}}"


def test_the_exports_of_a_folder_and_files_of_their_own(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "one.bib").write_text(BIB, encoding="utf-8")
    (folder / "two.RIS").write_text("TY  - JOUR\nTI  - Waves\n", encoding="utf-8")
    (folder / "note.txt").write_text("x", encoding="utf-8")
    (tmp_path / "none.json").write_text("{}", encoding="utf-8")
    (folder / "latin.bib").write_bytes(BIB.replace("Behrens", "Müller").encode("latin-1"))
    alone = tmp_path / "one.bib"
    alone.write_text(BIB, encoding="utf-8")
    (folder / "settings.json").write_text("{", encoding="utf-8")
    found = read_exports([folder, alone, tmp_path / "none.json"], read_bytes)
    assert [c.name for c in found.collections] == ["latin.bib", "one.bib", "two.RIS", str(alone)]
    assert found.collections[0].papers[0].authors[0].family == "Müller"
    assert found.refused == {"none.json": "not CSL-JSON: no list of works"}


def test_what_is_no_plain_file_is_refused(tmp_path):
    real = tmp_path / "real.bib"
    real.write_text(BIB, encoding="utf-8")
    folder = tmp_path / "f"
    folder.mkdir()
    (folder / "link.bib").symlink_to(real)
    (folder / "binary.ris").write_bytes(b"TY\0")
    (folder / "lfs.bib").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    (folder / "empty.ris").write_bytes(b"")
    with (folder / "large.bib").open("wb") as file:
        file.truncate(60 * 1024**2)
    os.mkfifo(folder / "pipe.json")
    found = read_exports([folder], read_bytes)
    assert found.collections == ()
    assert found.refused == {
        "link.bib": "a symbolic link",
        "binary.ris": "not a text file",
        "lfs.bib": "a Git LFS pointer, not the file itself",
        "empty.ris": "no works in it",
        "large.bib": "larger than 48 MB",
        "pipe.json": "not a regular file",
    }


@pytest.mark.parametrize("name", ["missing", "missing.bib"])
def test_a_place_that_is_not_there(tmp_path, name):
    with pytest.raises(UsageError, match="cannot be read"):
        read_exports([tmp_path / name], read_bytes)


def test_texts_that_no_key_names(tmp_path):
    for name in ("Smith2020.txt", "doi_10.1_x.md", "Behrens - Tides.txt", "a.bib"):
        (tmp_path / name).write_text("Tides rise.", encoding="utf-8")
    (left,) = unnamed_files(tmp_path, ["smith2020", "doi:10.1/x"])
    assert left.name == "Behrens - Tides.txt"
    assert beginning_of(left) == read_text(left) == ("Tides rise.", "")
