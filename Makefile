# Python 3.11 or newer and make are all that this needs: everything else goes into .venv.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: tournament test check docs bench lock clean

tournament: .venv/.core  ## a million games between eight strategies: a table, CSV files and a manifest
	$(BIN)/flip7sim tournament

test: .venv/.dev  ## all tests
	$(BIN)/python -m pytest -n auto --dist loadscope

check: .venv/.dev  ## lint, types, layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/.dev  ## the documentation in build/site; a broken link is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: .venv/.core  ## games per second, and the ratio to plain C (needs gcc)
	$(BIN)/flip7sim bench
	$(BIN)/python tests/benchmarks/against_c.py

lock: .venv/.dev  ## resolve the lock files again, from the bounds in pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-header pyproject.toml \
	    --output-file requirements.lock
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-header --extra dev pyproject.toml \
	    --constraint requirements.lock --output-file requirements-dev.lock

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "flip7sim needs Python 3.11 or newer: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.core: requirements.lock pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

.venv/.dev: requirements-dev.lock pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@ .venv/.core
