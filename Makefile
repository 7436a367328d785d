# Everything a developer or an operator of one machine needs. `make help` lists it.
# Each target may be run again at any time: what is up to date is left alone.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2

# Where `make test-services` finds its servers.
DATABASE_URL ?= postgres://postgres@127.0.0.1:5432/test
REDIS_URL ?= redis://127.0.0.1:6379/15

PACKAGES := rummy_site tables tournaments ledger players staff wording
CODE := manage.py $(PACKAGES) tests $(wildcard benchmarks)

# Values that only let the production settings load; nothing is opened with them.
PROD_CHECK_ENV := DJANGO_SETTINGS_MODULE=rummy_site.settings.prod \
	RUMMY_SECRET_KEY=only-for-the-check-4f1c9ab27de85063-QwErTyUiOpAsDfGh \
	RUMMY_HOSTS=rummy.invalid DATABASE_URL=postgres://nobody@127.0.0.1/none REDIS_URL=redis://127.0.0.1/0

.DEFAULT_GOAL := help
.PHONY: help install run club test test-services test-chaos test-web screenshots lint check format bench requirements clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

install: $(STAMP) ## make the environment in .venv

$(STAMP): requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Python 3.11 or newer is needed; '$(PYTHON)' is not. Try: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV)
	@echo "Installing the environment into $(VENV); this takes a minute or two, once."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r requirements/dev.txt
	@touch $@

run: $(STAMP) ## set up the site with demo data and serve it on http://127.0.0.1:8000
	@exec $(BIN)/python manage.py serve --demo --host $(HOST) --port $(PORT)

club: $(STAMP) ## a club evening: your own data, no demo, and phones in the same network may come
	@DJANGO_SETTINGS_MODULE=rummy_site.settings.club exec $(BIN)/python manage.py serve --own \
		--host $(if $(filter file,$(origin HOST)),0.0.0.0,$(HOST)) --port $(PORT)

test: $(STAMP) ## run the tests; needs no server
	DATABASE_URL= $(BIN)/python -m pytest -n $(WORKERS) -m "not services and not chaos and not web"

test-services: $(STAMP) ## run the database tests on PostgreSQL, and those that need Redis
	@DATABASE_URL=$(DATABASE_URL) REDIS_URL=$(REDIS_URL) $(BIN)/python -m tests.services_ready
	DATABASE_URL=$(DATABASE_URL) REDIS_URL=$(REDIS_URL) $(BIN)/python -m pytest -n $(WORKERS) -m "not chaos and not web" \
		--ignore=tests/rules --ignore=tests/structure --ignore=tests/architecture \
		--ignore=tests/site/test_serve.py --ignore=tests/site/test_embedded.py

test-chaos: $(STAMP) ## kill servers of their own in the middle of play; wants a quiet machine
	@DATABASE_URL=$(DATABASE_URL) REDIS_URL=$(REDIS_URL) $(BIN)/python -m tests.services_ready
	DATABASE_URL=$(DATABASE_URL) REDIS_URL=$(REDIS_URL) $(BIN)/python -m pytest -m chaos

test-web: $(STAMP) ## play in real browsers; needs Chromium (apt-get install chromium)
	DATABASE_URL= $(BIN)/python -m pytest tests/web -n $(WORKERS) --dist worksteal -m web --output var/web --screenshot only-on-failure

screenshots: $(STAMP) ## take pictures of every page, into var/screenshots; needs Chromium
	DATABASE_URL= $(BIN)/python -m pytest -q tests/web/screenshots.py --output var/web

lint: $(STAMP) ## formatting, lint, types, import contracts, migrations, translations, production settings
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy $(CODE)
	$(BIN)/lint-imports
	DATABASE_URL= DJANGO_SETTINGS_MODULE=rummy_site.settings.test $(BIN)/python manage.py makemigrations --check --dry-run
	DATABASE_URL= DJANGO_SETTINGS_MODULE=rummy_site.settings.test $(BIN)/python manage.py texts --check
	$(PROD_CHECK_ENV) $(BIN)/python manage.py check --deploy --fail-level WARNING

check: lint test ## everything that has to be green before a commit

format: $(STAMP) ## put the code into the one format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(STAMP) ## run every benchmark
	@for script in benchmarks/*.py; do \
		case $$script in */__init__.py|*/common.py) continue;; esac; \
		echo "== $$script"; $(BIN)/python -m $$(echo $${script%.py} | tr / .) || exit 1; \
	done

requirements: ## resolve pyproject.toml into the pinned files anew
	$(BIN)/python -m uv pip compile --quiet --python-version 3.11.7 --generate-hashes --no-emit-index-url \
		--no-emit-find-links --custom-compile-command "make requirements" --upgrade \
		pyproject.toml --output-file requirements/base.txt
	$(BIN)/python -m uv pip compile --quiet --python-version 3.11.7 --generate-hashes --no-emit-index-url \
		--no-emit-find-links --custom-compile-command "make requirements" --upgrade --extra dev \
		--constraint requirements/base.txt pyproject.toml --output-file requirements/dev.txt

clean: ## remove caches and the demo's database, keep the environment and a club's data
	@test ! -d var || find var -mindepth 1 -maxdepth 1 -not -name 'club*' -exec rm -rf {} +
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache staticfiles
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
