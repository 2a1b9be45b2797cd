# Everything a fresh machine needs is Python 3.11 or newer and make.
#   make play      make test      make help

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
BENCH := .venv-bench
READY_TO_BENCH := $(BENCH)/.ready
DOCS := .venv-docs
READY_FOR_DOCS := $(DOCS)/.ready
LEARN := .venv-learn
READY_TO_LEARN := $(LEARN)/.ready

PIP := -m pip --disable-pip-version-check --quiet --quiet
PYTEST := $(BIN)/python -m pytest
# One more than there are cores, as tests of servers and browsers wait; the more workers, the more compile the same.
# Before all tests, each game is compiled in one process: for some tests alone that would take longer than they do.
WORKERS ?= $(shell cores=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); echo $$((cores < 8 ? cores + 1 : 8)))
ARGS ?=

# Tests start hundreds of processes, which would all compile what they import where bytecode is not to be kept.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup play test test-services test-options test-learn test-long coverage check metrics format bench bench-research messages mutants season soak load plots docs lock clean
.DEFAULT_GOAL := help

help: ## List what can be made
	@echo "make play   sets itself up and opens the games in the browser"
	@echo "make test   sets itself up and tests every feature; ARGS='-k rin -x' goes to pytest"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | while IFS="	" read -r name says; do printf '  %-14s %s\n' "$$name" "$$says"; done

setup: $(READY) ## Make .venv with the locked versions, unless it is up to date

# The first Python that is new enough and can make virtual environments; PYTHON=... is tried first.
$(READY): requirements.lock pyproject.toml
	@if [ -L $(VENV) ]; then \
	  echo "$(VENV) is a link to $$(readlink $(VENV)), which would be emptied: remove the link first." >&2; exit 1; \
	fi
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
	  if "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "Setting up $(VENV) with $$("$$python" --version), about a minute ..."; \
	    exec "$$python" -m venv --clear $(VENV); \
	  fi; \
	done; \
	echo "Kakomi needs Python 3.11 or newer, with venv (on Debian: apt install python3-venv)." >&2; \
	echo "None was found on the PATH; PYTHON=/path/to/python3 names one." >&2; \
	exit 1
	@$(BIN)/python $(PIP) install --require-hashes -r requirements.lock
	@$(BIN)/python $(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

play: $(READY) ## Play in the browser; ARGS='--no-browser' goes to kakomi serve
	@$(BIN)/kakomi serve $(ARGS)

test: $(READY) ## Test every feature: minutes on two cores, no services, no browser; ARGS=tests/session chooses
	-@$(if $(ARGS),,$(BIN)/python -m tests.kernels)
	@$(PYTEST) -n $(WORKERS) --dist worksteal $(ARGS)

# Tests that start sites, kill processes or drive browsers are tried once more, alone, if they fail on a busy machine.
POSTGRES = $${KAKOMI_TEST_POSTGRES:-postgresql://postgres@127.0.0.1:5432/postgres}
test-services: $(READY) ## Test what needs PostgreSQL, Redis, Chromium, or processes that die
	@KAKOMI_DATABASE_URL="$(POSTGRES)" $(PYTEST) -n $(WORKERS) --dist worksteal --create-db tests/server/sql
	@$(BIN)/python -m tests.retry -n $(WORKERS) --dist worksteal tests/processes tests/browser $(ARGS)

test-options: $(READY) ## Test every game with all options, with bounds checks, and all that certifies games
	@KAKOMI_TEST_ALL=1 $(PYTEST) -n $(WORKERS) --dist worksteal \
	  tests/conformance tests/games tests/search tests/solve tests/learn tests/benchmarks tests/study/test_exercises.py $(ARGS)

test-long: $(READY) ## Run full matrices, a month of games, fuzzing and mutations, for hours; stopped, it goes on from there
	@$(BIN)/python -m tests.long $(ARGS)

coverage: $(READY) ## Say which lines and branches no test reaches, into .cache/coverage/html; about twice as long as the tests
	@mkdir -p .cache/coverage
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -n $(WORKERS) --dist worksteal $(ARGS) || echo "coverage of a run that failed:"
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage html --quiet
	@$(BIN)/coverage report --skip-covered --sort cover

TORCH ?= torch
test-learn: $(READY_TO_LEARN) ## Run what needs PyTorch, JAX, Ray or numba-cuda; TORCH='torch==2.13.0' chooses a build
	@KAKOMI_LEARN=1 $(LEARN)/bin/python -m pytest -n $(WORKERS) --dist worksteal tests/learn tests/processes/learn $(ARGS)

# These are large, and a user's own choice: not for everybody who plays.
$(READY_TO_LEARN): requirements-learn.lock | $(READY)
	@echo "Setting up $(LEARN) with PyTorch, JAX, Ray and numba-cuda, a few minutes ..."
	@$(BIN)/python -m venv --clear $(LEARN)
	@$(LEARN)/bin/python $(PIP) install --require-hashes -r requirements-learn.lock
	@$(LEARN)/bin/python $(PIP) install "$(TORCH)"
	@$(LEARN)/bin/python $(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

check: $(READY) ## Lint, formatting, types, import contracts, workflows
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --cache-dir .cache/imports
	@$(BIN)/zizmor --offline --quiet .github

format: $(READY) ## Format the code and fix what lint can fix
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench: $(READY_TO_BENCH) ## Print the benchmark tables, peers measured beside us
	@$(BENCH)/bin/python -m benchmarks $(ARGS)

bench-research: $(READY_TO_BENCH) ## Print how fast many games are stepped at once, beside OpenSpiel and Pgx
	@$(BENCH)/bin/python -m benchmarks.research $(ARGS)

# Peers have a place of their own: one brings a package named `tests`, another makes Numba load SciPy.
$(READY_TO_BENCH): requirements-bench.lock | $(READY)
	@echo "Setting up $(BENCH) with OpenSpiel and Pgx, about a minute ..."
	@$(BIN)/python -m venv --clear $(BENCH)
	@$(BENCH)/bin/python $(PIP) install --require-hashes -r requirements-bench.lock
	@echo "$(CURDIR)/src" > "$$($(BENCH)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/kakomi.pth"
	@touch $@

ROOMS ?=
mutants: $(READY) ## Change rules, clocks and results one expression at a time, and see whether a test notices; ROOMS='rin clock'
	@$(BIN)/python -m tests.mutation $(ROOMS) $(ARGS)

metrics: $(READY) ## Print the size of the source beside its budget, how it is cut, and what runs for a click, a bot's move, a mail
	@$(BIN)/python -m tests.budgets
	@$(BIN)/python -m tests.metrics
	@$(PYTEST) -s -p no:xdist tests/server/walkthroughs.py

messages: $(READY) ## Bring the catalogues of translations up to date
	@$(BIN)/python -m tests.messages

SECONDS ?= 600
KILLS ?= 200
season: $(READY) ## Play a season in simulated time: 30 days, 60 people, processes that die; ARGS='--days 365 --people 500 --kills 1000'
	@$(BIN)/python -m tests.season $(ARGS)

soak: $(READY) ## Compare with the slow references and fuzz, for SECONDS (600); kill servers, KILLS times (200)
	@$(BIN)/python -m tests.soak --seconds $(SECONDS) $(ARGS)
	@$(BIN)/python -m tests.soak.kills --kills $(KILLS)

plots: $(READY) ## Plot the benchmark results that were kept (ARGS=--save keeps them) on one page
	@$(BIN)/python -m benchmarks.results $(ARGS)

load: $(READY) ## Measure what the site bears, beside its load, and write it into docs/operations.md
	@$(BIN)/python -m benchmarks.load $(ARGS)

SITE := build/docs
docs: $(READY_FOR_DOCS) ## Make the documentation site, check its links, and say where it is
	@rm -rf $(SITE)
	@$(DOCS)/bin/sphinx-build --fail-on-warning --keep-going --quiet --fresh-env --jobs auto --doctree-dir .cache/docs docs $(SITE)
	@$(DOCS)/bin/python docs/check_links.py $(SITE)
	@echo "The documentation: file://$(CURDIR)/$(SITE)/index.html"

# Sphinx is for those who write pages. It imports Kakomi for the reference, and needs no extra of it.
$(READY_FOR_DOCS): requirements-docs.lock | $(READY)
	@echo "Setting up $(DOCS) with Sphinx, about half a minute ..."
	@$(BIN)/python -m venv --clear $(DOCS)
	@$(DOCS)/bin/python $(PIP) install --require-hashes -r requirements-docs.lock
	@echo "$(CURDIR)/src" > "$$($(DOCS)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/kakomi.pth"
	@touch $@

# `uv` reads no pip configuration, so no index of this machine gets into the lock files.
LOCK := .cache/lock/bin/uv pip compile --no-config --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
EXTRAS := $(addprefix --extra ,site images services mail push plots study research nets)
lock: $(READY) ## Bring the lock files up to date with PyPI
	@$(BIN)/python -m venv .cache/lock && .cache/lock/bin/pip install --quiet uv
	@$(LOCK) $(EXTRAS) --group dev pyproject.toml --output-file requirements.lock
	@$(LOCK) --group bench --constraint requirements.lock pyproject.toml --output-file requirements-bench.lock
	@$(LOCK) --group docs --constraint requirements.lock pyproject.toml --output-file requirements-docs.lock
	@$(LOCK) $(EXTRAS) --extra ray --group dev --group learn --constraint requirements.lock pyproject.toml --output-file requirements-learn.lock

clean: ## Remove everything that was made
	rm -rf $(VENV) $(BENCH) $(DOCS) $(LEARN) .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
