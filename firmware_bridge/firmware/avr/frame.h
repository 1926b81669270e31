/* Frames on the serial line: 00 COBS(version << 4 | type, box, seq, payload, crc) 00, little-endian. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FRAME_HEADER = 4,
    FRAME_PAYLOAD = 60,
    FRAME_CRC = 2,
    FRAME_BODY = FRAME_HEADER + FRAME_PAYLOAD + FRAME_CRC,
    FRAME_BYTES = FRAME_BODY + 3,
};

struct frame {
    uint8_t version, type, box;
    uint16_t seq;
    const uint8_t *payload;
    uint8_t length;
};

/* Bytes of one frame to be sent. */
struct frame_writer {
    uint8_t bytes[FRAME_BYTES];
    uint8_t length, code_at;
    uint16_t crc;
};

void frame_begin(struct frame_writer *writer, uint8_t version, uint8_t type, uint8_t box, uint16_t seq);
void frame_put8(struct frame_writer *writer, uint8_t value);
void frame_put16(struct frame_writer *writer, uint16_t value);
void frame_put32(struct frame_writer *writer, uint32_t value);
void frame_end(struct frame_writer *writer);

/* Bytes that come in. Nothing that is said on the line can make it write outside of itself. */
struct frame_reader {
    uint8_t bytes[FRAME_BODY + 1];
    uint8_t length;
};

/* Take a byte; true if it ends a sound frame, which stays readable until the next byte is taken. */
bool frame_take(struct frame_reader *reader, uint8_t byte, struct frame *frame);

uint16_t frame_get16(const uint8_t *bytes);

#endif
