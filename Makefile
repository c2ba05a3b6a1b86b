# make demo | test | lint | docs | bench: each sets up its own environment first, with plain pip.

VENV ?= .venv
# How many processes the tests run in.
JOBS ?= 2
# The first Python found that is new enough.
PYTHON ?= $(shell for name in python3 python python3.14 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)

BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint format docs examples bench calibrate reproduce reproduce-quick bench-peers setup clean
.DEFAULT_GOAL := demo

demo: $(READY)
	$(BIN)/lfppl check examples/mixture.lfppl --data examples/mixture.json
	$(BIN)/lfppl sample examples/mixture.lfppl --data examples/mixture.json --keep return --seed 1

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) $(TESTS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Samples the worked examples and writes their pages: a minute or two.
examples: $(VENV)/.docs
	$(BIN)/python docs/_examples

docs: $(VENV)/.docs
	$(BIN)/sphinx-build -W --keep-going -q -b html docs build/docs
	@echo "the documentation is in build/docs/index.html"

bench: $(READY)
	$(BIN)/python benchmarks/compile.py
	$(BIN)/python benchmarks/density.py
	$(BIN)/python benchmarks/engines.py
	$(BIN)/python benchmarks/python_models.py

# Simulation-based calibration of three programs (docs/calibration.md): half an hour on one core.
calibrate: $(READY)
	$(BIN)/python benchmarks/calibration.py

# The paper's experiments (docs/reproduction.md): under an hour on two cores, or three minutes.
reproduce: $(VENV)/.docs
	PYTHONPATH=benchmarks $(BIN)/python -m reproduce.run

reproduce-quick: $(VENV)/.docs
	PYTHONPATH=benchmarks $(BIN)/python -m reproduce.run --quick

.PHONY: fuzz
# Which random programs to check: `make fuzz PROGRAMS="0 5000"`.
PROGRAMS ?= 0 1000
fuzz: $(READY)
	$(BIN)/python tests/fuzz.py $(PROGRAMS)

# Against PyMC, NumPyro, nutpie, Stan and JAGS (docs/benchmarks.md), in an environment of its own.
# A few hours; a run that is in build/peers/results.jsonl is not made again.
PEERS ?= .venv-peers
bench-peers: $(PEERS)/.ready
	PYTHONPATH=benchmarks $(PEERS)/bin/python -m peers.run
	PYTHONPATH=benchmarks $(PEERS)/bin/python -m peers.report --pages

setup: $(READY)

clean:
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Done again only when pyproject.toml changes.
$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "lfppl needs Python 3.11 or later" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

$(VENV)/.docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	touch $@

$(PEERS)/.ready: pyproject.toml benchmarks/peers/requirements.txt
	test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	-test -n "$$(command -v jags)" || apt-get install -y jags
	grep -v '^#' benchmarks/peers/requirements.txt | while read -r package; do \
		$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check "$$package" \
		|| echo "without $$package: it cannot be installed here" >&2; done
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@
