# `make demo` and `make test` work on a fresh machine; everything they need is set up on the way.
PYTHON := .venv/bin/python

.PHONY: setup demo test check bench clean

setup:
	@scripts/setup.sh

demo: setup
	@.venv/bin/companion demo $(DEMO_ARGS)

check: setup
	@$(PYTHON) -m ruff check
	@$(PYTHON) -m mypy

test: check
	@$(PYTHON) -m pytest $(TEST_ARGS)

bench: setup
	@$(PYTHON) -m benchmarks $(BENCH_ARGS)

clean:
	rm -rf .venv build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
