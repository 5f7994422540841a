# Everything runs in .venv, which is built once from constraints.txt and rebuilt when that changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test coverage lint format bench clean

demo: $(READY)
	$(BIN)/spco demo

# Two workers with one thread each are quicker than two that fight for the cores.
test: export OMP_NUM_THREADS = 1
test: export OMP_WAIT_POLICY = passive
test: $(READY)
	$(BIN)/python -m pytest -n 2

coverage: export OMP_NUM_THREADS = 1
coverage: export OMP_WAIT_POLICY = passive
coverage: $(READY)
	$(BIN)/python -m pytest -n 2 --cov=spco --cov-branch --cov-report=term

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	$(BIN)/spco bench pair

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
