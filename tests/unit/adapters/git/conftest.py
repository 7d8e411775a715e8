"""Repositories to fetch from: a small language for commits, and git's own server over HTTP."""

import base64
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Repository:
    """A bare repository that is written blob by blob, so that any name can be in it."""

    def __init__(self, folder):
        self.folder = folder
        self.git("init", "-q", "--bare", str(folder))

    def git(self, *arguments, given=None):
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_AUTHOR_NAME": "A",
            "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org",
        }
        line = ["git", *(["-C", str(self.folder)] if self.folder.exists() else []), *arguments]
        done = subprocess.run(line, input=given, env=environment, capture_output=True, check=True)
        return done.stdout.decode().strip()

    def blob(self, content):
        return self.git("hash-object", "-w", "--stdin", given=content)

    def commit(self, files, *, parent=None, branch="main"):
        """A commit of these files: bytes, or (mode, bytes or hash)."""
        tree = self.tree(files)
        parents = ["-p", parent] if parent else []
        made = self.git("commit-tree", tree, "-m", "x", *parents)
        self.git("update-ref", f"refs/heads/{branch}", made)
        return made

    def tree(self, files):
        """A tree, nested as its names say; mktree refuses little, so hostile ones can be made."""
        here, below = [], {}
        for name, content in files.items():
            top, _, rest = name.partition("/")
            if rest and not name.startswith("/"):
                below.setdefault(top, {})[rest] = content
                continue
            mode, what = content if isinstance(content, tuple) else ("100644", content)
            held = what if isinstance(what, str) else self.blob(what)
            kind = {"160000": "commit", "040000": "tree"}.get(mode, "blob")
            here.append((mode, kind, held, name))
        here += [("040000", "tree", self.tree(part), name) for name, part in below.items()]
        lines = [f"{mode} {kind} {held}\t{name}\0" for mode, kind, held, name in here]
        given = "".join(lines).encode("utf-8", "surrogateescape")
        return self.git("mktree", "-z", "--missing", given=given)


@pytest.fixture
def remote(tmp_path):
    return Repository(tmp_path / "remote.git")


class Server:
    """`git http-backend` behind a server that wants a password, keeps what it was sent, and can
    be told to answer something else."""

    def __init__(self, root):
        self.password = None
        self.answer = None
        self.headers = []
        self.paths = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                owner.paths.append(self.path)
                owner.headers.append(dict(self.headers))
                if owner.answer is not None:
                    owner.answer(self)
                    return
                if owner.password and self.headers.get("Authorization") != owner.word:
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="x"')
                    self.end_headers()
                    return
                path, _, query = self.path.partition("?")
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                done = subprocess.run(
                    ["git", "-c", "uploadpack.allowFilter=true", "http-backend"],
                    input=body,
                    capture_output=True,
                    check=False,
                    env={
                        "PATH": os.environ["PATH"],
                        "GIT_PROJECT_ROOT": str(root),
                        "GIT_HTTP_EXPORT_ALL": "1",
                        "GIT_CONFIG_GLOBAL": "/dev/null",
                        "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                        "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                        "REQUEST_METHOD": self.command,
                        "PATH_INFO": path,
                        "QUERY_STRING": query,
                        "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                        "REMOTE_USER": "x",
                    },
                )
                head, _, content = done.stdout.partition(b"\r\n\r\n")
                lines = [line.split(": ", 1) for line in head.decode().split("\r\n")]
                told = dict(lines)
                self.send_response(int(told.pop("Status", "200").split()[0]))
                for name, value in told.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def do_POST(self):
                self.do_GET()

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/remote.git"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def word(self):
        given = base64.b64encode(f"x-access-token:{self.password}".encode()).decode()
        return f"Basic {given}"


@pytest.fixture
def server(remote):
    running = Server(remote.folder.parent)
    yield running
    running.server.shutdown()
    running.server.server_close()
