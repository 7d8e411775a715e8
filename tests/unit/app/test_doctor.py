from pathlib import Path

import reviser
from reviser.app import doctor
from reviser.app.page import Page


def test_a_module_that_could_connect_is_found(tmp_path):
    (tmp_path / "adapters").mkdir()
    (tmp_path / "adapters" / "hub.py").write_text(
        "def f():\n    from urllib.request import urlopen\n"
    )
    (tmp_path / "adapters" / "safe.py").write_text("from urllib.parse import quote\nimport re\n")
    (tmp_path / "adapters" / "nli.py").write_text("import sentence_transformers\n")
    found = doctor.doors(tmp_path)
    assert found == {
        "adapters/hub": ("urllib.request",),
        "adapters/nli": ("sentence_transformers",),
    }
    said = doctor.departures(None, found)
    assert said == ("whatever adapters/hub sends: it can open a connection (urllib.request)",)
    assert "model hub; no text of the paper" in doctor.departures("some/model", found)[1]


def test_posting_is_told_apart_from_what_would_leave_by_itself():
    assert doctor.departures(None, {"adapters/github/client": ("github",)}) == ()


def test_a_model_in_a_folder_sends_nothing(tmp_path):
    assert doctor.departures(str(tmp_path), {"adapters/nli": ("sentence_transformers",)}) == ()


def test_only_the_doors_of_verifier_and_forge_exist():
    elsewhere = ("adapters/github/", "adapters/openai_chat/", "adapters/web/", "adapters/index/")
    doors = {door for door in doctor.doors() if not door.startswith(elsewhere)}
    assert doors <= {"adapters/entailment"}
    assert len(list(Path(reviser.__path__[0]).rglob("*.py"))) > 20


def test_page_says_what_is_there_and_that_nothing_leaves():
    page = Page()
    assert doctor.doctor_page(page, None)
    text = page.plain
    assert "ok      Python" in text
    assert "embedded model" in text
    assert "What would leave this machine\n  nothing\n" in text


def test_a_missing_package_is_told_with_the_command_to_run(monkeypatch):
    monkeypatch.setattr(doctor, "REQUIRED", ("no-such-package-of-ours",))
    page = Page()
    assert not doctor.doctor_page(page, None)
    assert "missing no-such-package-of-ours" in page.plain
    assert "pip install no-such-package-of-ours" in page.plain


def test_another_model_file_is_noticed(monkeypatch):
    monkeypatch.setattr(doctor, "model_digest", lambda: "0" * 64)
    facts = {fact.name: fact for fact in doctor.examine()}
    assert facts["embedded model"].fine is False


def test_what_fetching_reviews_sends_is_told():
    page = Page()
    doctor.doctor_page(page, None)
    assert "with 'reviser reviews fetch': the names of venues" in page.plain


def test_what_a_chat_model_would_be_sent_is_told():
    assert doctor.departures(None, {"adapters/openai_chat/client": ("openai",)}) == ()
    page = Page()
    doctor.doctor_page(page, None)
    assert "with --verifier llm: sentences of the paper" in page.plain
    page = Page()
    doctor.doctor_page(page, None, chat="models.example.org", asks=True)
    assert "\n  nothing\n" not in page.plain
    assert "to models.example.org, once that is allowed" in page.plain
    page = Page()
    doctor.doctor_page(page, None, asks=True)
    assert "\n  nothing\n" in page.plain
    assert "to the chat model on this machine" in page.plain
