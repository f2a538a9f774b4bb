# Two commands to begin with: `make ask` and `make test`. Needs python3 >= 3.11 with pip, and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
Q ?= Where was the father of Ada Lovelace born?
export Q
PYTEST_ARGS ?= -n auto --dist loadfile

.PHONY: ask test lint clean help

help:
	@echo "make ask    set up, and answer a question on the bundled graph (another one: make ask Q='...')"
	@echo "make test   set up, and run all tests"
	@echo "make lint   set up, and check style and types"
	@echo "make clean  remove what these made in this folder"

ask: $(VENV)/installed
	@$(BIN)/toulmin ask "$$Q" --kg bundled

test: $(VENV)/installed-dev
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

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
