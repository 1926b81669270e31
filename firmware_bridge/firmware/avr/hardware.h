/* All that a box needs of its microcontroller. Another one is another file that defines these functions. */
#ifndef HARDWARE_H
#define HARDWARE_H

#include <stdbool.h>
#include <stdint.h>

enum { BUTTONS = 4, LEDS = 4, UID_BYTES = 8 };

void hardware_start(void);

/* Since hardware_start; wraps at 2^32. */
uint32_t hardware_milliseconds(void);

/* Sleep until hardware_milliseconds() is no longer `now` or a byte has come. */
void hardware_sleep(uint32_t now);

/* The contacts closed at this moment, bouncing and all; bit 0 is button 1. */
uint8_t hardware_contacts(void);

/* Light the LEDs in the mask and no others; bit 0 is LED 1. */
void hardware_show(uint8_t leds);

/* Sound the buzzer at 20 to 20,000 Hz until told otherwise; 0 is silence. */
void hardware_tone(uint16_t hertz);

/* Take a byte from the serial line; false if none has come. */
bool hardware_receive(uint8_t *byte);

/* Begin to send all of these bytes, or none: false while there is no room for them. Does not wait. */
bool hardware_send(const uint8_t *bytes, uint8_t length);

/* How many bytes have come while there was no room for them; wraps. */
uint8_t hardware_lost_bytes(void);

/* The 8 bytes by which this board is known, the same at every start. */
void hardware_uid(uint8_t *uid);

/* A number that differs from those of the last 65,535 starts. */
uint16_t hardware_boot(void);

/* Why the board started, as the microcontroller says it; 0 if it does not. */
uint8_t hardware_reset_cause(void);

#endif
