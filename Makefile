# `make demo` and `make test` work on a fresh machine; everything they need is set up on the way.

.PHONY: setup toolchain demo test check bench translations pictures firmware flash dist deb release-check clean

setup:
	@scripts/setup.sh

toolchain:
	@scripts/setup.sh toolchain

demo: setup
	@.venv/bin/companion demo $(DEMO_ARGS)

check: setup
	@.venv/bin/python -m ruff check
	@.venv/bin/python -m mypy

# The types are checked beside the tests, as one of them.
test: setup toolchain
	@.venv/bin/python -m ruff check
	@.venv/bin/python -m pytest -n auto --dist loadfile --no-loadscope-reorder $(TEST_ARGS)

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

# dist/: the wheel and the source distribution.
dist: setup
	@.venv/bin/python -m scripts.release.distributions

# dist/: the Debian package for a version of Python: DEB_ARGS="--python 3.13" (Debian 13; 3.12 Ubuntu 24.04, 3.11 Debian 12).
deb: setup
	@.venv/bin/python -m scripts.release.debian_package $(DEB_ARGS)

# Installs, starts and removes what is handed out: in empty environments, and in fresh systems (needs root, debootstrap).
release-check: setup
	@.venv/bin/python -m scripts.release.check $(RELEASE_ARGS)

clean:
	rm -rf .venv build dist *.egg-info .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
