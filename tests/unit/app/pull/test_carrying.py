import io
import zipfile

import pytest

from reviser.app.pull import carrying
from reviser.app.pull.carrying import unpacked
from reviser.errors import UsageError


def packed(*members, **options):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content, **options)
    return data.getvalue()


def test_the_plan_is_found_beside_patch_and_report():
    data = packed(("report.md", "x"), ("plan.json", "{}"), ("edits.patch", ""))
    assert unpacked(data) == b"{}"


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    "members",
    [
        [],
        [("report.md", "x")],
        [("../plan.json", "{}")],
        [("sub/plan.json", "{}")],
        [("plan.json", "{}"), ("plan.json", "[]")],
        [("plan.json", "{}"), *((f"{n}", "") for n in range(30))],
    ],
)
def test_anything_but_one_plan_is_refused(members):
    with pytest.raises(UsageError, match="does not hold one"):
        unpacked(packed(*members))


def test_a_bomb_is_read_no_further_than_a_plan_may_be(monkeypatch):
    data = packed(("plan.json", b"0" * 3_000_000))
    assert len(data) < 10_000
    monkeypatch.setattr(carrying, "_MOST_PLAN", 1_000_000)
    with pytest.raises(UsageError, match="larger than 1 MB"):
        unpacked(data)


def test_a_directory_that_lies_about_the_size_is_no_way_around(monkeypatch):
    data = bytearray(packed(("plan.json", b"0" * 3_000_000)))
    at = data.rindex(b"PK\x01\x02") + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    monkeypatch.setattr(carrying, "_MOST_PLAN", 1_000_000)
    with pytest.raises(UsageError):
        unpacked(bytes(data))


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"no zip", packed(("plan.json", "x"))[:-30]],
    ids=["empty", "two letters", "words", "cut off"],
)
def test_what_is_no_zip_file_is_refused(data):
    with pytest.raises(UsageError, match="cannot be unpacked"):
        unpacked(data)


def test_an_encrypted_member_is_refused():
    data = bytearray(packed(("plan.json", "{}")))
    data[6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(UsageError, match="cannot be unpacked"):
        unpacked(bytes(data))
