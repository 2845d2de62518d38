# What a person does with this repository. Needs make and Python ≥ 3.11; everything else is installed into .venv.
# PYTHON=3.13 (or a name or path) chooses the interpreter for any target; it has an environment of its own, .venv-3.13.

ifdef PYTHON
export PYTHON
VENV := .venv-$(shell $$(PYTHON='$(PYTHON)' sh tools/find_python.sh 2>/dev/null || echo false) \
	-c 'import sys; print("%d.%d" % sys.version_info[:2])')
else
VENV := .venv
endif
PYTHON_IN_VENV := $(VENV)/bin/python
STAMPS := $(VENV)/.stamps
# Tests wait more than they compute, so two of them share a core.
WORKERS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); expr 2 \* $$((n < 8 ? n : 8)))
UV := $(VENV)/bin/uv
WEB := $(PYTHON_IN_VENV) tools/build_web.py

# Where bytecode may not be written, every server that a test starts compiles a thousand modules first.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup web run test test-units test-core test-everything bench prove real chart check fix lock openapi types clean \
	check-ruff check-types check-imports check-sizes check-words check-docs check-web

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMPS)/installed web ## install everything into .venv and build the page

run: setup ## start Parley; ARGS="--port 9000" passes flags
	@exec $(VENV)/bin/parley serve $(ARGS)

test: setup ## all tests: the page's, then Python's, browser tests included
	@$(PYTHON_IN_VENV) tools/ensure_chromium.py
	@# In a fresh checkout, one process compiles the tests for all.
	@ls tests/kernel/__pycache__/*-pytest-*.pyc >/dev/null 2>&1 || $(PYTHON_IN_VENV) -m pytest --collect-only -qq >/dev/null
	@page=0; $(WEB) run test || page=$$?; \
	$(PYTHON_IN_VENV) -m pytest -n $(WORKERS) --dist worksteal $(ARGS) || exit $$?; \
	if [ $$page != 0 ]; then echo "The page's tests failed; see above." >&2; exit $$page; fi

# Everything but what drives the API, a browser, campaigns or an installed plugin.
UNITS := $(filter-out $(addprefix tests/,api browser examples prove fakes fixtures),$(patsubst %/,%,$(wildcard tests/*/))) \
	tests/fakes/test_invariants.py tests/fakes/test_virtual_loop.py $(wildcard tests/test_*.py)

test-units: setup ## the quick part of the tests: without API, browser and campaigns
	@$(PYTHON_IN_VENV) -m pytest -n $(WORKERS) --dist worksteal $(UNITS) $(ARGS)

test-core: setup ## what another Python could break: kernel, engine, modes, ratings, and an installed wheel that serves
	@$(PYTHON_IN_VENV) -m pytest -n $(WORKERS) --dist worksteal tests/kernel tests/engine tests/modes tests/ratings \
		tests/test_wheel.py $(ARGS)

test-everything: setup ## every test on every kind of database, and a sample of every campaign, as each night
	@$(MAKE) --no-print-directory test ARGS="--everything $(ARGS)"

bench: setup ## measure against the bar, ten minutes; QUICK=1 takes 90 seconds, BENCH_LITELLM=1 adds its proxy
	@$(PYTHON_IN_VENV) -m bench.run $(if $(QUICK),--quick) $(if $(BENCH_LITELLM),--litellm) $(ARGS)

prove: setup ## try to refute every claim of reliability, an hour; goes on where it was cut off; ARGS="--only NAME"
	@$(PYTHON_IN_VENV) -m prove.run --jobs $(WORKERS) $(ARGS)

real: setup ## try llama.cpp's server, LiteLLM's proxy, other makers' clients and servers of tools; installs them into .venv-real; ARGS="chat stop"
	@$(PYTHON_IN_VENV) -m prove.real.run $(ARGS)
	@$(if $(ARGS),,$(PYTHON_IN_VENV) -m prove.real.clients)
	@$(if $(ARGS),,$(PYTHON_IN_VENV) -m prove.real.tools)

chart: setup ## check the Helm chart: rendered nine ways, against Kubernetes' schemas; installs Helm into .venv-real
	@$$($(PYTHON_IN_VENV) -c 'from prove.real.environments import helm_python; print(helm_python())' | tail -n 1) deploy/check_chart.py

check: check-ruff check-types check-imports check-sizes check-words check-docs check-web ## everything static

# ── setup ────────────────────────────────────────────────────────────────────────────────────────

$(STAMPS)/venv: tools/find_python.sh
	@python=$$(sh tools/find_python.sh) || exit 1; \
	if ! $(PYTHON_IN_VENV) -m pip --version >/dev/null 2>&1; then \
		echo "Making $(VENV) with $$python …"; \
		"$$python" -m venv --clear $(VENV) || exit 1; \
	fi
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/uv: requirements-dev.lock $(STAMPS)/venv
	@awk '/^uv==/ {on = 1} on {print} on && !/\\$$/ {exit}' requirements-dev.lock > $(STAMPS)/uv.txt
	@$(PYTHON_IN_VENV) -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $(STAMPS)/uv.txt
	@touch $@

$(STAMPS)/synced: requirements-dev.lock $(STAMPS)/uv
	@echo "Installing the Python packages …"
	@$(UV) pip sync --quiet --compile-bytecode --python $(PYTHON_IN_VENV) --require-hashes requirements-dev.lock || { \
		echo "uv could not install them; trying pip, which has its own configuration …"; \
		$(PYTHON_IN_VENV) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock; }
	@touch $@

$(STAMPS)/installed: pyproject.toml $(STAMPS)/synced
	@$(UV) pip install --quiet --python $(PYTHON_IN_VENV) --no-deps --no-build-isolation --editable .
	@touch $@

web: $(STAMPS)/installed
	@$(WEB) build

# ── check ────────────────────────────────────────────────────────────────────────────────────────

check-ruff: setup
	@$(VENV)/bin/ruff check --quiet . && $(VENV)/bin/ruff format --quiet --check .

check-types: setup
	@$(VENV)/bin/pyright --warnings --pythonpath $(PYTHON_IN_VENV)

check-imports: setup
	@$(VENV)/bin/lint-imports --no-logo

check-sizes: setup
	@$(PYTHON_IN_VENV) tools/check_sizes.py

check-words: setup
	@$(PYTHON_IN_VENV) tools/check_words.py

check-docs: setup
	@$(PYTHON_IN_VENV) tools/check_docs.py

check-web: setup
	@$(WEB) run check

# ── upkeep ───────────────────────────────────────────────────────────────────────────────────────

fix: setup ## repair what machines can repair: format, imports, generated docs and types
	@$(VENV)/bin/ruff check --quiet --fix . || true
	@$(VENV)/bin/ruff format --quiet .
	@$(PYTHON_IN_VENV) tools/check_docs.py --write
	@$(WEB) run fix

lock: $(STAMPS)/uv ## write the lock files anew; UPGRADE=1 takes newer versions
	@UV_CUSTOM_COMPILE_COMMAND="make lock" \
		sh tools/lock.sh $(UV) $(if $(UPGRADE),--upgrade)
	@$(PYTHON_IN_VENV) tools/sbom.py

openapi: $(STAMPS)/installed ## write docs/reference/openapi.json
	@$(PYTHON_IN_VENV) tools/openapi.py docs/reference/openapi.json

types: openapi ## write the page's types from the OpenAPI document
	@$(WEB) run types

clean: ## remove what was built; the environment stays
	@rm -rf src/parley/web_dist dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
