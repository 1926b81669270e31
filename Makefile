# `make demo` and `make test` work on a fresh machine; everything they need is set up on the way.

.PHONY: setup toolchain demo test check bench translations pictures firmware flash clean

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
	@.venv/bin/python -m pytest -n auto --dist loadfile $(TEST_ARGS)

bench: setup toolchain
	@.venv/bin/python -m benchmarks $(BENCH_ARGS)

# Brings the translators' catalogues (ui/locale) up to date and tells what is missing.
translations: setup
	@.venv/bin/python -m scripts.catalogues

# Photographs the screens for docs/pictures/screens.
pictures: setup
	@.venv/bin/python -m scripts.pictures

# The Arduino Uno's: `make firmware [BOX=number]` makes build/firmware/box.hex, `make flash PORT=...` writes it to a board.
firmware: toolchain
	@$(MAKE) --no-print-directory -C firmware_bridge/firmware/avr BUILD=$(CURDIR)/build/firmware

flash: toolchain
	@$(MAKE) --no-print-directory -C firmware_bridge/firmware/avr BUILD=$(CURDIR)/build/firmware flash

clean:
	rm -rf .venv build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
