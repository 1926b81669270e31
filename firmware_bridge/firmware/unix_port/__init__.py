"""What MicroPython's Unix port lacks of a board: found before the built-in module by MICROPYPATH."""
