/* Contacts that bounce to buttons that do not: a button follows its contact when that was steady for a while. */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H

#include <stdint.h>

#include "hardware.h"

enum { DEBOUNCE_MILLISECONDS = 8 };

struct debounce {
    uint8_t pressed;
    uint8_t steady[BUTTONS];
};

/* To be called once a millisecond; gives the mask of the buttons that have just changed. */
uint8_t debounce_contacts(struct debounce *state, uint8_t contacts);

#endif
