#include "debounce.h"

#include <stdbool.h>

static bool is_unsettled(const struct debounce *state) {
    for (uint8_t button = 0; button < BUTTONS; button++)
        if (state->steady[button])
            return true;
    return false;
}

uint8_t debounce_contacts(struct debounce *state, uint8_t contacts) {
    uint8_t changed = 0;
    if (contacts == state->pressed && !is_unsettled(state))
        return 0;
    for (uint8_t button = 0; button < BUTTONS; button++) {
        const uint8_t bit = (uint8_t)(1 << button);
        if (!((contacts ^ state->pressed) & bit))
            state->steady[button] = 0;
        else if (++state->steady[button] > DEBOUNCE_MILLISECONDS) {
            state->steady[button] = 0;
            changed |= bit;
        }
    }
    state->pressed ^= changed;
    return changed;
}
