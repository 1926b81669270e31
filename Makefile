# `make demo` and `make test` work on a fresh machine; everything they need is set up on the way.

.PHONY: setup demo test check bench clean

setup:
	@scripts/setup.sh

demo: setup
	@.venv/bin/companion demo $(DEMO_ARGS)

check: setup
	@.venv/bin/python -m ruff check
	@.venv/bin/python -m mypy

test: check
	@.venv/bin/python -m pytest $(TEST_ARGS)

bench: setup
	@.venv/bin/python -m benchmarks $(BENCH_ARGS)

clean:
	rm -rf .venv build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
