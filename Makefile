# Every target makes .venv first when it is missing, unfinished or out of date.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help install lab test check format bench solved doctor claims mutants

help:
	@echo "make lab      open the course in JupyterLab (LAB_ARGS=... passes options on)"
	@echo "make test     check everything: style, types, units, every notebook, every control in a browser"
	@echo "make check    style, types and notebook rules, in seconds     make format   fix the style"
	@echo "make bench    measure, side by side (ONLY=word picks some)   make doctor   look at this machine"
	@echo "make solved   write the notebooks with the solutions put in to build/solved"
	@echo "make claims   measure every claim, in its lecture and in false worlds; write docs/claims.md"
	@echo "make mutants  make small mistakes in the core and see whether the tests notice (ONLY=word)"

install:
	@$(PYTHON) tools/install.py

lab: install
	@$(BIN)/course lab $(LAB_ARGS)

test: install
	@$(BIN)/python -m tests $(STAGES)

check: install
	@$(BIN)/python -m tests style types rules

format: install
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

bench: install
	@$(BIN)/python -m tests.benchmarks $(ONLY)

solved doctor claims: install
	@$(BIN)/course $@

mutants: install
	@$(BIN)/python -m tests.mutants $(ONLY)
