/* A button box: what docs/hardware.md says of the box's side. No microcontroller and no wire in here. */
#ifndef BOX_H
#define BOX_H

#include <stdint.h>

/* Begin, and greet whoever listens. */
void box_start(void);

/* Take a byte that the host sent. */
void box_hear(uint8_t byte);

/* To be called once for each millisecond, `now` counting them from the start. */
void box_millisecond(uint32_t now);

#endif
