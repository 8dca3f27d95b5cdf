# GNU make. `make site` and `make test` are all that a newcomer needs; each sets up what it lacks.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
PORT ?= 8000

.PHONY: site serve test check bench audit audit-deps dist fuzz pythons nightly clean lock

site: $(VENV)/ready
	$(BIN)/sitegen build

serve: site
	$(BIN)/sitegen serve --port $(PORT)

test: $(VENV)/ready-test
	$(BIN)/python -m pytest

check: $(VENV)/ready-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_layers.py tests/test_repository.py

bench: $(VENV)/ready-test
	$(BIN)/python bench/quality.py

# Whatever of axe, the Nu validator and Lighthouse this machine can run, over the built site.
audit: site $(VENV)/ready-test
	$(BIN)/python tools/audit.py public

# Every package of both locks against the list of known faults; in an environment of its own.
audit-deps: $(VENV)/ready-test
	$(PYTHON) -m venv .fuzz/audit
	.fuzz/audit/bin/python -m pip --disable-pip-version-check install --quiet pip-audit==2.10.1
	.fuzz/audit/bin/pip-audit --strict --no-deps --disable-pip -r requirements.lock -r requirements-test.lock

# The source archive, and the wheel made from it.
dist: $(VENV)/ready
	$(PYTHON) -m venv .fuzz/build
	.fuzz/build/bin/python -m pip --disable-pip-version-check install --quiet build==1.6.1
	.fuzz/build/bin/python -m build --outdir dist

# So many inputs for each target, chosen by the code that they reach; then 50 kills of each kind.
RUNS ?= 50000
fuzz: $(VENV)/ready-test
	$(PIP) install --quiet --no-deps --target .fuzz/lib atheris==3.0.0
	PYTHONPATH=.fuzz/lib $(BIN)/python -m tests.fuzz --guided --runs $(RUNS)

# The digest built by this Python and by another one: are the bytes equal?
OTHER ?= python3.13
pythons: $(VENV)/ready-test
	sh tools/make_venv.sh $(OTHER) .fuzz/other
	.fuzz/other/bin/python -m pip --disable-pip-version-check install --quiet --no-deps -r requirements.lock
	.fuzz/other/bin/python -m pip --disable-pip-version-check install --quiet --no-deps .
	$(BIN)/python tools/compare_pythons.py .fuzz/other/bin/python

nightly: dist fuzz audit-deps pythons
	$(BIN)/python -m pytest -q --kills 50 tests/test_kills.py

clean:
	rm -rf .sitegen .fuzz $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find public -mindepth 1 ! -name .gitkeep -delete

# The environment that builds: pinned, without the torch that KeyBERT declares and sitegen avoids.
$(VENV)/ready: requirements.lock pyproject.toml tools/make_venv.sh
	sh tools/make_venv.sh $(PYTHON) $(VENV)
	$(PIP) install --quiet --no-deps -r requirements.lock
	$(PIP) install --quiet --no-deps --editable .
	touch $@

# What tests and checks need on top.
$(VENV)/ready-test: $(VENV)/ready requirements-test.lock
	$(PIP) install --quiet --no-deps -r requirements-test.lock
	touch $@

lock: $(VENV)/ready-test
	$(BIN)/python tools/lock.py
	$(BIN)/python tools/licences.py
