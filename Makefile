# Every target does its own set-up; a second time it starts at once.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python

COMPILED := setup.py $(shell find core -name '*.pyx' -o -name '*.pxd')

.PHONY: run test build lint bench coverage release clean

run: build
	$(RUN) -m arena tournament

test: lint
	$(RUN) -m coverage erase
	$(RUN) -m coverage run -m pytest
	$(RUN) -m coverage combine --quiet
	$(RUN) -m coverage report

build: build/.compiled

lint: build
	$(RUN) -m ruff check
	$(RUN) -m mypy
	$(RUN) -m mypy.stubtest --allowlist .ci/stubtest.allow core.search core.take_stones.board

bench: build
	$(RUN) -m bench

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet --editable '.[dev]'
	touch $@

build/.compiled: $(VENV)/.installed $(COMPILED)
	$(RUN) setup.py --quiet build_ext --inplace
	@mkdir -p build && touch $@
