"""The program for ESP32 and Raspberry Pi Pico. Its files are copied to the board as they are and run by MicroPython."""
