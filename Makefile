# Everything runs in .venv, which is built once from constraints.txt and rebuilt when that changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test test-package test-oldest test-uncompiled fuzz fuzz-guided faults long-runs package docs coverage lint format bench clean

demo: $(READY)
	$(BIN)/spco demo

# Two workers with one thread each are quicker than two that fight for the cores; tests of compiled passes need two.
test: export OMP_NUM_THREADS = 1
test: export NUMBA_NUM_THREADS = 2
test: export OMP_WAIT_POLICY = passive
test: $(READY)
	$(BIN)/python -m pytest -n 2

# Installs the wheel into environments of its own, with everything that it needs: minutes, and a network.
test-package: $(READY)
	$(BIN)/python -m pytest tests/test_package.py -m empty_environment

# All packages that pyproject.toml names at their lower bounds: minutes, and several GB where torch brings CUDA.
OLDEST := .venv-oldest
test-oldest: export OMP_NUM_THREADS = 1
test-oldest: export NUMBA_NUM_THREADS = 2
test-oldest: export OMP_WAIT_POLICY = passive
test-oldest:
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt uv
	$(OLDEST)/bin/uv pip install --quiet --python $(OLDEST) --resolution lowest-direct -e '.[dev]'
	$(OLDEST)/bin/python -m pytest -n 2

# Changed inputs for every reader, for FUZZ_SECONDS in all; what is found is printed with its place.
FUZZ_SECONDS ?= 600
fuzz: export OMP_NUM_THREADS = 1
fuzz: export FUZZ_SECONDS := $(FUZZ_SECONDS)
fuzz: $(READY)
	$(BIN)/python -m tests.fuzz

# The same, guided by coverage. atheris is for Linux and is not in constraints.txt: nothing else needs it.
fuzz-guided: export OMP_NUM_THREADS = 1
fuzz-guided: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris
	$(BIN)/python -m tests.fuzz.guided --seconds $(FUZZ_SECONDS)

# Every file operation of every writing command fails once: half an hour.
faults: export OMP_NUM_THREADS = 1
faults: export OMP_WAIT_POLICY = passive
faults: $(READY)
	$(BIN)/python -m tests.faults

# Refreshes, fits and trials by the thousand in one process, whose memory must stay flat: minutes.
long-runs: export OMP_NUM_THREADS = 1
long-runs: $(READY)
	$(BIN)/python -m tests.long_runs

# The site, in build/docs/index.html. A warning is an error; no network is needed.
docs: $(READY)
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -b html docs build/docs

package: $(READY)
	$(BIN)/python -m build

coverage: export OMP_NUM_THREADS = 1
coverage: export NUMBA_NUM_THREADS = 2
coverage: export OMP_WAIT_POLICY = passive
coverage: $(READY)
	$(BIN)/python -m pytest -n 2 --cov=spco --cov-branch --cov-report=
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 $(KERNELS) -W ignore::RuntimeWarning --cov=spco --cov-branch --cov-append --cov-report=term

# Compiled passes as plain Python: an index that points outside is an error, and coverage sees their lines. NumPy warns
# there of what compiled code does on purpose: hashes overflow, and rows without entries divide by 0.
KERNELS := tests/linalg tests/transport/test_kernels.py tests/transport/test_sinkhorn.py tests/transport/test_difference.py \
	tests/transport/test_extreme_kernels.py tests/views/test_push.py tests/spectral/test_eigenvalue_norm.py
test-uncompiled: export NUMBA_DISABLE_JIT = 1
test-uncompiled: $(READY)
	$(BIN)/python -m pytest -n 2 $(KERNELS) -W ignore::RuntimeWarning

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
	rm -rf $(VENV) $(OLDEST) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
