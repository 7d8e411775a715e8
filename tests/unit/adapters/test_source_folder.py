"""A folder of sources named by key: what is found, and what is refused with a reason."""

import os
from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from reviser.adapters.source_folder import file_stem, read_sources
from reviser.errors import UsageError


def pdf(path: Path, line: str) -> None:
    writer = PdfWriter()
    page = writer.add_blank_page(width=300, height=200)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): font})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    stream = DecodedStreamObject()
    stream.set_data(f"BT /F1 12 Tf 20 100 Td ({line}) Tj ET".encode())
    page[NameObject("/Contents")] = stream
    with path.open("wb") as file:
        writer.write(file)


def test_text_markdown_and_pdf_are_read(tmp_path: Path) -> None:
    (tmp_path / "lee2020.txt").write_text("\ufeffPlain words.", encoding="utf-8")
    (tmp_path / "Roe2019.md").write_text("# Marked words", encoding="utf-8")
    (tmp_path / "old1990.txt").write_bytes(b"caf\xe9 words")
    pdf(tmp_path / "kim2021.pdf", "Typeset words.")
    found = read_sources(tmp_path, ["lee2020", "roe2019", "old1990", "kim2021", "absent"])
    assert found.texts["lee2020"] == "Plain words."
    assert found.texts["roe2019"] == "# Marked words"
    assert found.texts["old1990"] == "café words"
    assert "Typeset words." in found.texts["kim2021"]
    assert "absent" not in found.texts
    assert found.refused == {}


def test_a_key_that_is_no_file_name_has_a_stem(tmp_path: Path) -> None:
    assert file_stem("doi:10.1/x y") == "doi_10.1_x_y"
    assert file_stem("../../etc/passwd") == "_._.._etc_passwd"
    (tmp_path / "doi_10.1_x.txt").write_text("Words.", encoding="utf-8")
    assert read_sources(tmp_path, ["doi:10.1/x"]).texts == {"doi:10.1/x": "Words."}
    both = read_sources(tmp_path, ["doi:10.1/x", "doi_10.1:x"])
    assert both.texts == {}
    assert set(both.refused) == {"doi:10.1/x", "doi_10.1:x"}
    exact = read_sources(tmp_path, ["doi:10.1/x", "doi_10.1_x"])
    assert set(exact.texts) == {"doi_10.1_x"}


def test_text_is_preferred_to_pdf(tmp_path: Path) -> None:
    pdf(tmp_path / "a.pdf", "From the page.")
    (tmp_path / "a.txt").write_text("From the text.", encoding="utf-8")
    assert read_sources(tmp_path, ["a"]).texts == {"a": "From the text."}


def test_what_cannot_be_used_says_why(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret", encoding="utf-8")
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "link.txt").symlink_to(outside / "secret.txt")
    (folder / "binary.txt").write_bytes(b"\0\1\2")
    (folder / "empty.md").write_text(" \n", encoding="utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing more")
    (folder / "pointer.pdf").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    (folder / "room.txt").mkdir()
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(5 * 1024**2)
    os.mkfifo(folder / "pipe.txt")
    keys = ["link", "binary", "empty", "broken", "pointer", "room", "huge", "pipe"]
    found = read_sources(folder, keys)
    assert found.texts == {}
    assert set(found.refused) == set(keys)
    assert "symbolic link" in found.refused["link"]
    assert "larger than" in found.refused["huge"]


def test_a_pdf_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    pdf(tmp_path / "slow.pdf", "Never read.")
    found = read_sources(tmp_path, ["slow"], pdf_seconds=0.001)
    assert "within 0.001 seconds" in found.refused["slow"]


def test_a_missing_folder_is_the_users_to_mend(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_sources(tmp_path / "none", ["a"])
