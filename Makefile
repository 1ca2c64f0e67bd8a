# Every target makes .venv first when it is missing, unfinished or out of date.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help install lab test check format bench solved doctor claims docs api mutants site

help:
	@echo "make lab      open the course in JupyterLab (LAB_ARGS=... passes options on)"
	@echo "make test     check everything: style, types, units, every notebook, every control in a browser"
	@echo "make check    style, types, rules, made texts, scripts, in seconds    make format   fix the style"
	@echo "make bench    measure, side by side (ONLY=word picks some)   make doctor   look at this machine"
	@echo "make solved   write the notebooks with the solutions put in to build/solved"
	@echo "make claims   measure every claim, in its lecture and in false worlds; write docs/claims.md"
	@echo "make api      write a page about every module to build/api, with examples that tests run"
	@echo "make site     write the lectures as pages that live without a kernel to build/site"
	@echo "make mutants  make small mistakes in the core and see whether the tests notice (ONLY=word)"

install:
	@$(PYTHON) tools/install.py $(OR)

# what a reader needs goes on with an older environment; what proves something does not
lab doctor: OR = --older-will-do

lab: install
	@$(BIN)/course lab $(LAB_ARGS)

test: install
	@$(BIN)/python -m tests $(STAGES)

check: install
	@$(BIN)/python -m tests style types rules house javascript

format: install
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

bench: install
	@$(BIN)/python -m tests.benchmarks $(ONLY)

doctor site: install
	@$(BIN)/course $@

solved claims docs api: install
	@$(BIN)/python -m tools $@

mutants: install
	@$(BIN)/python -m tests.mutants $(ONLY)
