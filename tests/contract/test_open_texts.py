"""Open-access texts over HTTP on loopback: which are fetched, and what becomes of them."""

from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from reviser.adapters.cache import FileCache
from reviser.adapters.source_folder import pdf_text
from reviser.adapters.web.client import Web
from reviser.adapters.web.full_text import OpenTexts
from reviser.adapters.web.kept import Kept
from reviser.app.lookup_settings import LookupSettings
from reviser.app.services import services
from reviser.literature.paper import Paper
from reviser.literature.sources import Silent, Wanted
from tests.fakes.scholar.server import Scholar, Trouble, scholar
from tests.fakes.scholar.works import SERVICES, Work


def pdf(folder: Path, *lines: str) -> bytes:
    """A page with these lines."""
    writer = PdfWriter()
    page = writer.add_blank_page(width=300, height=300)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F"): font})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    shown = " ".join(f"({line}) Tj 0 -20 Td" for line in lines)
    stream = DecodedStreamObject()
    stream.set_data(f"BT /F 12 Tf 20 250 Td {shown} ET".encode())
    page[NameObject("/Contents")] = writer._add_object(stream)
    path = folder / "made.pdf"
    writer.write(path)
    return path.read_bytes()


LINES = ("1 Introduction", "Kites are old.", "2 Methods", "We fly kites in wind.")


def texts(site: Scholar, cache: FileCache | None = None) -> OpenTexts:
    web = Web(trusted=[site.base], sleep=lambda _: None)
    return OpenTexts(web, Kept(cache), pdf_text, arxiv_files=f"{site.base}/arxiv")


def found(site: Scholar, **more: str) -> Paper:
    return Paper("It", "1", "Kites", open_text=f"{site.base}/files/0.pdf", **more)


def test_what_a_free_licence_covers_is_read_in_sections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Work("Kites", doi="10.5555/kites", pdf=pdf(tmp_path, *LINES), licence="cc-by")
    with scholar(work) as site:
        site.reviser(monkeypatch)
        cache = FileCache(lambda: None, lambda _: None, lambda _: None)
        made = services(LookupSettings(names=SERVICES, full_text=True), cache)
        (paper,) = made.sources[0].by_id([Wanted("k", doi=work.doi)])[0]  # type: ignore[misc]
        assert made.full_texts is not None
        assert made.full_texts.place_of(paper) == "127.0.0.1"
        sections = made.full_texts.text(paper)
        assert not isinstance(sections, Silent)
        assert [(s.title, s.text) for s in sections] == [
            ("1 Introduction", "Kites are old."),
            ("2 Methods", "We fly kites in wind."),
        ]
        again = services(LookupSettings(names=SERVICES, full_text=True), cache)
        assert again.full_texts is not None
        assert again.full_texts.text(paper) == sections
        assert site.asked["files"] == 1


def test_by_itself_no_text_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    with scholar() as site:
        site.reviser(monkeypatch)
        assert services(LookupSettings(names=SERVICES)).full_texts is None


@pytest.mark.parametrize("licence", ["cc-by", "cc-by-sa", "cc0", "public-domain", "CC BY 4.0"])
def test_free_licences(licence: str, tmp_path: Path) -> None:
    with scholar(Work("Kites", pdf=pdf(tmp_path, *LINES))) as site:
        assert texts(site).text(found(site, licence=licence))


@pytest.mark.parametrize(
    "licence", ["", "cc-by-nc", "cc-by-nd", "cc-by-nc-sa", "other-oa", "publisher-specific-oa"]
)
def test_others_are_left_alone(licence: str) -> None:
    with scholar(Work("Kites", pdf=b"%PDF-")) as site:
        paper = found(site, licence=licence)
        assert texts(site).place_of(paper) == ""
        assert texts(site).text(paper) == ()
        assert not site.requests


def test_what_lies_at_arxiv_comes_from_there(tmp_path: Path) -> None:
    with scholar(Work("Kites", arxiv="2001.00001", pdf=pdf(tmp_path, *LINES))) as site:
        opened = texts(site)
        known = Paper("It", "1", "Kites", arxiv="2001.00001")
        named = Paper("It", "1", "Kites", open_text="https://arxiv.org/pdf/2001.00001v3")
        free = replace(named, licence="cc-by")
        for paper in (known, named, free):
            assert opened.place_of(paper) == "arXiv"
            assert opened.text(paper)
        assert {request.path for request in site.requests} == {"/arxiv/pdf/2001.00001"}


def test_a_place_that_fails_is_followed_by_the_next(tmp_path: Path) -> None:
    with scholar(Work("Kites", arxiv="2001.00001", pdf=pdf(tmp_path, *LINES))) as site:
        site.trouble("files", Trouble.PAGE, times=1)
        assert texts(site).text(found(site, licence="cc-by", arxiv="2001.00001"))
        assert site.asked["files"] == 2
        site.trouble("files", Trouble.PAGE)
        said = texts(site).text(found(site, licence="cc-by", arxiv="2001.00001"))
        assert said == Silent("127.0.0.1", "gave an answer that cannot be read")


def test_a_file_that_is_no_pdf_or_a_broken_one_is_no_text() -> None:
    with scholar(Work("Kites", pdf=b"<html>"), Work("Knots", pdf=b"%PDF-1.7 broken")) as site:
        first = found(site, licence="cc-by")
        second = replace(first, open_text=f"{site.base}/files/1.pdf")
        third = replace(first, open_text=f"{site.base}/files/2.pdf")
        said = texts(site).text(first)
        assert said == Silent("127.0.0.1", "gave an answer that cannot be read")
        assert str(texts(site).text(second)) == "127.0.0.1 gave a PDF that cannot be read"
        assert texts(site).text(third) == ()


@pytest.mark.parametrize(
    "address",
    ["http://169.254.169.254/a.pdf", "file:///etc/passwd", "http://[::1", "https://10.0.0.1/a.pdf",
     "https://user:pass@example.org/a.pdf", "http://127.0.0.1:22/a.pdf", "x", "https://a b/"],
)  # fmt: skip
def test_an_address_that_is_not_public_is_not_asked(address: str) -> None:
    with scholar(Work("Kites", pdf=b"%PDF-")) as site:
        said = texts(site).text(replace(found(site, licence="cc-by"), open_text=address))
        assert said == () or isinstance(said, Silent)
        assert not site.requests
