# `make demo` and `make test` work on a fresh machine; everything they need is set up on the way.

.PHONY: setup toolchain demo test check bench firmware clean

setup:
	@scripts/setup.sh

toolchain:
	@scripts/setup.sh toolchain

demo: setup
	@.venv/bin/companion demo $(DEMO_ARGS)

check: setup
	@.venv/bin/python -m ruff check
	@.venv/bin/python -m mypy

test: check toolchain
	@.venv/bin/python -m pytest $(TEST_ARGS)

bench: setup toolchain
	@.venv/bin/python -m benchmarks $(BENCH_ARGS)

# For the Arduino Uno: build/firmware/box.hex. docs/hardware.md tells how to write it to a board.
firmware: toolchain
	@$(MAKE) --no-print-directory -C firmware_bridge/firmware/avr BUILD=$(CURDIR)/build/firmware $(FIRMWARE_ARGS)

clean:
	rm -rf .venv build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
