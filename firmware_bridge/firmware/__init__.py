"""Programs for the boards in boxes, in C and MicroPython, and boards in software that run those very programs.

`avr/` is for the Arduino Uno, `micropython/` for ESP32 and Pico, `simavr/` the Uno in software; docs/hardware.md says
how to build and flash them.
"""
