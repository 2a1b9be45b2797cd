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
WEB := .venv-web
READY_FOR_WEB := $(WEB)/.ready

PIP := -m pip --disable-pip-version-check --quiet --quiet
PYTEST := $(BIN)/python -m pytest
# One more than there are cores, since tests of servers and browsers wait. More workers would duplicate compilation.
# `make test` first compiles each game in one process, but not for a selection of tests, which is faster without.
WORKERS ?= $(shell cores=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); echo $$((cores < 8 ? cores + 1 : 8)))
ARGS ?=

# Tests start hundreds of processes. Without bytecode files, each of them would compile all that it imports.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help setup play test test-services test-options test-learn test-long coverage check metrics format bench bench-research messages mutants screenshots season soak load plots docs web lock clean
.DEFAULT_GOAL := help

help: ## List what can be made
	@echo "make play   sets itself up and opens the games in the browser"
	@echo "make test   sets itself up and tests every feature; ARGS='-k rin -x' goes to pytest"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | while IFS="	" read -r name says; do printf '  %-14s %s\n' "$$name" "$$says"; done

setup: $(READY) ## Set up .venv with the locked versions, unless it is up to date

# Uses the first Python that is new enough and can create virtual environments; PYTHON=... is tried first.
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

play: $(READY) ## Play in the browser; ARGS='--no-browser' is passed to kakomi serve
	@$(BIN)/kakomi serve $(ARGS)

test: $(READY) ## Test every feature: minutes on two cores, no services, no browser; ARGS=tests/session chooses
	-@$(if $(ARGS),,$(BIN)/python -m tests.kernels)
	@$(PYTEST) -n $(WORKERS) --dist worksteal $(ARGS)

# Tests that start sites, kill processes or drive browsers may fail on a busy machine; they are retried once, alone.
POSTGRES = $${KAKOMI_TEST_POSTGRES:-postgresql://postgres@127.0.0.1:5432/postgres}
test-services: $(READY) ## Test what needs PostgreSQL, Redis, Chromium, or processes that die
	@KAKOMI_DATABASE_URL="$(POSTGRES)" $(PYTEST) -n $(WORKERS) --dist worksteal --create-db tests/server/sql
	@$(BIN)/python -m tests.retry -n $(WORKERS) --dist worksteal tests/processes tests/browser $(ARGS)

test-options: $(READY) ## Test every game with all options and bounds checks, and the certification of games
	@KAKOMI_TEST_ALL=1 $(PYTEST) -n $(WORKERS) --dist worksteal \
	  tests/conformance tests/games tests/search tests/solve tests/networks tests/learn tests/benchmarks tests/study/test_exercises.py $(ARGS)

test-long: $(READY) ## Run full matrices, a month of games, fuzzing and mutations, for hours; resumes where it was stopped
	@$(BIN)/python -m tests.long $(ARGS)

coverage: $(READY) ## Report untested lines and branches in .cache/coverage/html; takes about twice as long as the tests
	@mkdir -p .cache/coverage
	@$(BIN)/coverage erase
	@$(BIN)/coverage run -m pytest -n $(WORKERS) --dist worksteal $(ARGS) || echo "coverage of a run that failed:"
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage html --quiet
	@$(BIN)/coverage report --skip-covered --sort cover

TORCH ?= torch
test-learn: $(READY_TO_LEARN) ## Run what needs PyTorch, JAX, Ray or numba-cuda; TORCH='torch==2.13.0' chooses a build
	@KAKOMI_LEARN=1 $(LEARN)/bin/python -m pytest -n $(WORKERS) --dist worksteal tests/learn $(ARGS)
	@KAKOMI_LEARN=1 $(LEARN)/bin/python -m tests.retry -n $(WORKERS) --dist worksteal tests/processes/learn $(ARGS)

# These packages are large, so they aren't part of .venv.
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

bench: $(READY_TO_BENCH) ## Print the benchmark tables, with peers measured in the same run
	@$(BENCH)/bin/python -m benchmarks $(ARGS)

bench-research: $(READY_TO_BENCH) ## Print how fast many games are stepped at once, compared with OpenSpiel and Pgx
	@$(BENCH)/bin/python -m benchmarks.research $(ARGS)

# Peers have their own environment: one installs a package named `tests`, another makes Numba load SciPy.
$(READY_TO_BENCH): requirements-bench.lock | $(READY)
	@echo "Setting up $(BENCH) with OpenSpiel and Pgx, about a minute ..."
	@$(BIN)/python -m venv --clear $(BENCH)
	@$(BENCH)/bin/python $(PIP) install --require-hashes -r requirements-bench.lock
	@echo "$(CURDIR)/src" > "$$($(BENCH)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/kakomi.pth"
	@touch $@

TARGETS ?=
mutants: $(READY) ## Change rules, clocks and results one expression at a time, and see whether a test notices; TARGETS='rin clock'
	@$(BIN)/python -m tests.mutation $(TARGETS) $(ARGS)

metrics: $(READY) ## Print the size of the source and its budget, its structure, and the code that runs for a click, a bot's move, an email
	@$(BIN)/python -m tests.budgets
	@$(BIN)/python -m tests.metrics
	@$(PYTEST) -s -p no:xdist tests/server/walkthroughs.py

messages: $(READY) ## Update the translation catalogues
	@$(BIN)/python -m tests.messages

SECONDS ?= 600
KILLS ?= 200
FOLDER ?= build/screenshots
screenshots: $(READY) ## Photograph a populated site in four windows, light and dark, into FOLDER, and weigh its pages
	@$(BIN)/python -m tests.screenshots $(FOLDER) $(ARGS)

season: $(READY) ## Simulate a season: 30 days, 60 people, killed processes; ARGS='--days 365 --people 500 --kills 1000'
	@$(BIN)/python -m tests.season $(ARGS)

soak: $(READY) ## Fuzz and compare with slow references, for SECONDS (600); kill servers, KILLS times (200)
	@$(BIN)/python -m tests.soak --seconds $(SECONDS) $(ARGS)
	@$(BIN)/python -m tests.soak.kills --kills $(KILLS)

plots: $(READY) ## Plot all saved benchmark results on one page (benchmarks save them with --save)
	@$(BIN)/python -m benchmarks.results $(ARGS)

load: $(READY) ## Measure the load that the site can bear; ARGS=--write puts it into docs/operations.md
	@$(BIN)/python -m benchmarks.load $(ARGS)

SITE := build/docs
docs: $(READY_FOR_DOCS) ## Build the documentation site, check its links, and print its address
	@rm -rf $(SITE)
	@$(DOCS)/bin/sphinx-build --fail-on-warning --keep-going --quiet --fresh-env --jobs auto --doctree-dir .cache/docs docs $(SITE)
	@$(DOCS)/bin/python docs/check_links.py $(SITE)
	@echo "The documentation: file://$(CURDIR)/$(SITE)/index.html"

# Only authors of pages need Sphinx. It imports Kakomi for the reference, without any extras.
$(READY_FOR_DOCS): requirements-docs.lock | $(READY)
	@echo "Setting up $(DOCS) with Sphinx, about half a minute ..."
	@$(BIN)/python -m venv --clear $(DOCS)
	@$(DOCS)/bin/python $(PIP) install --require-hashes -r requirements-docs.lock
	@echo "$(CURDIR)/src" > "$$($(DOCS)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/kakomi.pth"
	@touch $@

web: $(READY_FOR_WEB) ## Build the games as WebAssembly modules, from unchanged source the same ones; ARGS='rin ren' chooses
	@$(WEB)/bin/python -m kakomi.web.build $(ARGS)

# The linker is 100 MB, and only those who change rules or the search need it.
$(READY_FOR_WEB): requirements-web.lock | $(READY)
	@echo "Setting up $(WEB) with the linker of WebAssembly, about half a minute ..."
	@$(BIN)/python -m venv --clear $(WEB)
	@$(WEB)/bin/python $(PIP) install --require-hashes -r requirements-web.lock
	@echo "$(CURDIR)/src" > "$$($(WEB)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/kakomi.pth"
	@touch $@

# `uv` ignores pip's configuration, so no local index gets into the lock files.
LOCK := .cache/lock/bin/uv pip compile --no-config --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
EXTRAS := $(addprefix --extra ,site images services mail push plots study research nets)
lock: $(READY) ## Bring the lock files up to date with PyPI
	@$(BIN)/python -m venv .cache/lock && .cache/lock/bin/pip install --quiet uv
	@$(LOCK) $(EXTRAS) --group dev pyproject.toml --output-file requirements.lock
	@$(LOCK) --group bench --constraint requirements.lock pyproject.toml --output-file requirements-bench.lock
	@$(LOCK) --group docs --constraint requirements.lock pyproject.toml --output-file requirements-docs.lock
	@$(LOCK) --extra wasm --constraint requirements.lock pyproject.toml --output-file requirements-web.lock
	@$(LOCK) $(EXTRAS) --extra ray --group dev --group learn --constraint requirements.lock pyproject.toml --output-file requirements-learn.lock

clean: ## Remove everything that make created
	rm -rf $(VENV) $(BENCH) $(DOCS) $(LEARN) $(WEB) .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
