#include "box.h"

#include <string.h>

#include "debounce.h"
#include "frame.h"
#include "hardware.h"

#ifndef BOX_NUMBER
#define BOX_NUMBER 1
#endif

enum { FIRMWARE = 0x0100, PROTOCOL = 1, GREETING = 0, EVERY_BOX = 0 };

enum type { HELLO = 1, HOST_HELLO, BUTTON, BEAT, HOST_BEAT, LED, BUZZ, ACK, NAK };
enum problem { WRONG_VERSION = 1, WRONG_TYPE, WRONG_CONTENT, REFUSED };

enum {
    KEPT_EDGES = 16,
    ORDER_WINDOW = 256,
    REMEMBERED_COMMANDS = 16,
    HIGHEST_NUMBER = 16,
    LOWEST_HERTZ = 20,
    HIGHEST_HERTZ = 20000,
    LONGEST_BUZZ = 5000,
};

enum { RETRY_MS = 50, BEAT_MS = 1000, HOST_SILENCE_MS = 3000, ALONE_PERIOD_MS = 2000, ALONE_FLASH_MS = 40 };

struct edge {
    uint32_t t_ms;
    uint16_t seq;
    uint8_t button;
    bool pressed;
    uint8_t due_in;
};

static struct {
    uint32_t now;
    uint16_t boot;
    struct debounce buttons;
    uint8_t lit;
    uint16_t beat_in, host_silence_in, buzz_left, alone;

    struct edge kept[KEPT_EDGES]; /* the oldest first */
    uint8_t kept_count;
    uint16_t next_seq, overruns;
    uint8_t lost_bytes;

    uint16_t session, obeyed[REMEMBERED_COMMANDS];
    uint8_t obeyed_count, obeyed_next;
} box;

static struct frame_reader reader;
static struct frame_writer writer;

static uint16_t oldest(void) {
    return box.kept_count ? box.kept[0].seq : box.next_seq;
}

static void begin(enum type type, uint16_t seq) {
    frame_begin(&writer, type == HELLO ? GREETING : PROTOCOL, (uint8_t)type, BOX_NUMBER, seq);
}

/* What finds no room is lost here, and asked for again by whoever misses it. */
static bool send(void) {
    frame_end(&writer);
    return hardware_send(writer.bytes, writer.length);
}

static void send_hello(void) {
    uint8_t uid[UID_BYTES];
    hardware_uid(uid);
    begin(HELLO, 0);
    frame_put8(&writer, PROTOCOL);
    frame_put8(&writer, PROTOCOL);
    frame_put16(&writer, FIRMWARE);
    frame_put8(&writer, BUTTONS);
    frame_put8(&writer, LEDS);
    frame_put16(&writer, 0);
    frame_put8(&writer, hardware_reset_cause());
    frame_put16(&writer, box.boot);
    frame_put16(&writer, oldest());
    frame_put32(&writer, box.now);
    for (uint8_t at = 0; at < UID_BYTES; at++)
        frame_put8(&writer, uid[at]);
    send();
}

static void send_beat(void) {
    begin(BEAT, 0);
    frame_put16(&writer, box.boot);
    frame_put32(&writer, box.now);
    frame_put16(&writer, box.buttons.pressed);
    frame_put16(&writer, box.lit);
    frame_put16(&writer, oldest());
    frame_put8(&writer, box.kept_count);
    frame_put16(&writer, box.overruns);
    send();
}

static bool send_edge(const struct edge *edge) {
    begin(BUTTON, edge->seq);
    frame_put16(&writer, box.boot);
    frame_put16(&writer, oldest());
    frame_put8(&writer, edge->button);
    frame_put8(&writer, edge->pressed);
    frame_put32(&writer, edge->t_ms);
    return send();
}

static void acknowledge(uint16_t seq) {
    begin(ACK, seq);
    frame_put16(&writer, box.boot);
    send();
}

static void complain(uint16_t seq, enum problem problem) {
    begin(NAK, seq);
    frame_put16(&writer, box.boot);
    frame_put8(&writer, (uint8_t)problem);
    send();
}

static void forget(uint8_t at) {
    box.kept_count--;
    memmove(&box.kept[at], &box.kept[at + 1], (uint8_t)(box.kept_count - at) * sizeof box.kept[0]);
}

static void keep_edge(uint8_t button, bool pressed) {
    if (box.kept_count == KEPT_EDGES || (uint16_t)(box.next_seq - oldest()) >= ORDER_WINDOW - 1) {
        forget(0);
        box.overruns++;
    }
    box.kept[box.kept_count++] = (struct edge){
        .t_ms = box.now - DEBOUNCE_MILLISECONDS,
        .seq = box.next_seq++,
        .button = button,
        .pressed = pressed,
        .due_in = 0,
    };
}

static void edge_is_known(uint16_t seq) {
    for (uint8_t at = 0; at < box.kept_count; at++)
        if (box.kept[at].seq == seq) {
            forget(at);
            return;
        }
}

static bool is_repeated(uint16_t seq) {
    for (uint8_t at = 0; at < box.obeyed_count; at++)
        if (box.obeyed[at] == seq)
            return true;
    box.obeyed[box.obeyed_next] = seq;
    box.obeyed_next = (uint8_t)((box.obeyed_next + 1) % REMEMBERED_COMMANDS);
    if (box.obeyed_count < REMEMBERED_COMMANDS)
        box.obeyed_count++;
    return false;
}

static void host_greets(uint16_t session) {
    if (session != box.session) {
        box.session = session;
        box.obeyed_count = box.obeyed_next = 0;
    }
    for (uint8_t at = 0; at < box.kept_count; at++)
        box.kept[at].due_in = 0;
    send_hello();
}

static void obey_led(uint16_t seq, uint8_t led, bool on) {
    if (led < 1 || led > HIGHEST_NUMBER) {
        complain(seq, WRONG_CONTENT);
        return;
    }
    if (led > LEDS) {
        complain(seq, REFUSED);
        return;
    }
    acknowledge(seq);
    if (is_repeated(seq))
        return;
    const uint8_t bit = (uint8_t)(1 << (led - 1));
    box.lit = on ? box.lit | bit : box.lit & (uint8_t)~bit;
    hardware_show(box.lit);
}

static void obey_buzz(uint16_t seq, uint16_t hertz, uint16_t duration_ms) {
    if (hertz < LOWEST_HERTZ || hertz > HIGHEST_HERTZ || duration_ms < 1 || duration_ms > LONGEST_BUZZ) {
        complain(seq, WRONG_CONTENT);
        return;
    }
    acknowledge(seq);
    if (is_repeated(seq))
        return;
    box.buzz_left = duration_ms;
    hardware_tone(hertz);
}

/* How long the payload of a message from the host is; 255 for one that no host sends. */
static uint8_t expected_length(uint8_t type) {
    switch (type) {
    case HOST_HELLO: return 4;
    case HOST_BEAT: return 0;
    case LED: return 2;
    case BUZZ: return 4;
    case ACK: return 2;
    case NAK: return 3;
    default: return 255;
    }
}

static void obey(const struct frame *frame) {
    const uint8_t *payload = frame->payload;
    const uint8_t length = expected_length(frame->type);
    if (frame->type < HELLO || frame->type > NAK)
        complain(frame->seq, WRONG_TYPE);
    else if (frame->version != (frame->type <= HOST_HELLO ? GREETING : PROTOCOL)) {
        if (frame->type != NAK)
            complain(frame->seq, WRONG_VERSION);
    } else if (length == 255)
        return;
    else if (frame->length != length) {
        if (frame->type != NAK)
            complain(frame->seq, WRONG_CONTENT);
    } else
        switch (frame->type) {
        case HOST_HELLO: host_greets(frame_get16(payload + 2)); break;
        case LED: obey_led(frame->seq, payload[0], payload[1]); break;
        case BUZZ: obey_buzz(frame->seq, frame_get16(payload), frame_get16(payload + 2)); break;
        case ACK:
        case NAK:
            if (frame_get16(payload) == box.boot)
                edge_is_known(frame->seq);
            break;
        }
}

static void host_is_there(void) {
    if (box.host_silence_in == 0)
        hardware_show(box.lit);
    box.host_silence_in = HOST_SILENCE_MS;
}

static void host_is_gone(void) {
    box.lit = 0;
    box.buzz_left = 0;
    hardware_tone(0);
    box.alone = 0;
}

/* All LEDs flash briefly: there is power, and nobody to speak to. */
static void show_alone(void) {
    if (box.alone == 0)
        hardware_show((1 << LEDS) - 1);
    else if (box.alone == ALONE_FLASH_MS)
        hardware_show(0);
    if (++box.alone == ALONE_PERIOD_MS)
        box.alone = 0;
}

static void send_due_edges(void) {
    for (uint8_t at = 0; at < box.kept_count; at++) {
        struct edge *edge = &box.kept[at];
        if (edge->due_in)
            edge->due_in--;
        else if (send_edge(edge))
            edge->due_in = RETRY_MS;
    }
}

void box_start(void) {
    box.boot = hardware_boot();
    box.beat_in = BEAT_MS;
    send_hello();
}

void box_hear(uint8_t byte) {
    struct frame frame;
    if (frame_take(&reader, byte, &frame) && (frame.box == BOX_NUMBER || frame.box == EVERY_BOX)) {
        host_is_there();
        obey(&frame);
    }
}

void box_millisecond(uint32_t now) {
    box.now = now;
    const uint8_t changed = debounce_contacts(&box.buttons, hardware_contacts());
    if (changed)
        for (uint8_t button = 0; button < BUTTONS; button++)
            if (changed & (1 << button))
                keep_edge((uint8_t)(button + 1), box.buttons.pressed >> button & 1);
    if (box.buzz_left && --box.buzz_left == 0)
        hardware_tone(0);
    if (box.host_silence_in == 0)
        show_alone();
    else if (--box.host_silence_in == 0)
        host_is_gone();
    else
        send_due_edges();
    if (--box.beat_in == 0) {
        box.beat_in = BEAT_MS;
        const uint8_t lost_bytes = hardware_lost_bytes();
        box.overruns += (uint8_t)(lost_bytes - box.lost_bytes);
        box.lost_bytes = lost_bytes;
        send_beat();
    }
}
