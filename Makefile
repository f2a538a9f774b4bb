# Two commands to begin with: `make ask` and `make test`. Needs python3 >= 3.11 with pip, and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
Q ?= Where was the father of Ada Lovelace born?
export Q
T ?= tests
PYTEST_ARGS ?= -n auto --dist loadfile

.PHONY: help ask setup test test-one lint format docs hooks bench clean

help:  ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | awk -F '\t' '{ printf "make %-9s %s\n", $$1, $$2 }'

ask: $(VENV)/installed  ## set up, and answer a question on the bundled graph; another one: make ask Q="..."
	@$(BIN)/toulmin ask "$$Q" --kg bundled

setup: $(VENV)/installed-dev  ## set up an environment for work on the code, in .venv

test: $(VENV)/installed-dev  ## set up, and run all tests
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

test-one: $(VENV)/installed-dev  ## run one test, file or folder: make test-one T=tests/graph/test_merkle.py
	@$(BIN)/python -m pytest $(T)

lint: $(VENV)/installed-dev  ## set up, and check style, format and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict

format: $(VENV)/installed-dev  ## set up, and mend style and format where a program can
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

docs: $(VENV)/installed-dev  ## write anew the pages of docs/ that are made from the code
	@for page in architecture licences methods metrics; do $(BIN)/python scripts/$$page.py || exit 1; done

hooks: $(VENV)/installed-dev  ## set up, and have git check style, format and types before each commit
	$(PIP) install pre-commit
	@$(BIN)/pre-commit install

bench: $(VENV)/installed-dev  ## measure answers without a model on real data (benchmarks/): make bench DATA=PATH
	@$(BIN)/python benchmarks/quality.py --data "$(or $(DATA),$(error the folder of the data sets: make bench DATA=PATH))"

clean:  ## remove what these made in this folder
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests benchmarks scripts training -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Toulmin needs Python 3.11 or later, this is %s: make PYTHON=python3.11 ..." % sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)

# The stamps are older than pyproject.toml whenever the dependencies may have changed.
$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(PIP) install --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	$(PIP) install --editable '.[dev]'
	@touch $(VENV)/installed $@
