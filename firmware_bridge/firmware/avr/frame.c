#include "frame.h"

/* CRC-16/CCITT-FALSE, one byte further. */
static uint16_t crc16(uint16_t crc, uint8_t byte) {
    crc = (uint16_t)(crc >> 8 | crc << 8);
    crc ^= byte;
    crc ^= (uint8_t)crc >> 4;
    crc ^= (uint16_t)(crc << 12);
    crc ^= (uint16_t)((uint8_t)crc << 5);
    return crc;
}

static void stuff(struct frame_writer *writer, uint8_t value) {
    if (value != 0) {
        writer->bytes[writer->length++] = value;
        writer->bytes[writer->code_at]++;
    } else {
        writer->code_at = writer->length;
        writer->bytes[writer->length++] = 1;
    }
}

void frame_begin(struct frame_writer *writer, uint8_t version, uint8_t type, uint8_t box, uint16_t seq) {
    writer->bytes[0] = 0;
    writer->bytes[1] = 1;
    writer->code_at = 1;
    writer->length = 2;
    writer->crc = 0xFFFF;
    frame_put8(writer, (uint8_t)(version << 4 | type));
    frame_put8(writer, box);
    frame_put16(writer, seq);
}

void frame_put8(struct frame_writer *writer, uint8_t value) {
    writer->crc = crc16(writer->crc, value);
    stuff(writer, value);
}

void frame_put16(struct frame_writer *writer, uint16_t value) {
    frame_put8(writer, (uint8_t)value);
    frame_put8(writer, (uint8_t)(value >> 8));
}

void frame_put32(struct frame_writer *writer, uint32_t value) {
    frame_put16(writer, (uint16_t)value);
    frame_put16(writer, (uint16_t)(value >> 16));
}

void frame_end(struct frame_writer *writer) {
    const uint16_t crc = writer->crc;
    stuff(writer, (uint8_t)crc);
    stuff(writer, (uint8_t)(crc >> 8));
    writer->bytes[writer->length++] = 0;
}

/* Undo the stuffing in place; gives the length of the body, 0 for what is no result of stuffing. */
static uint8_t unstuff(uint8_t *bytes, uint8_t length) {
    uint8_t from = 0, to = 0;
    while (from < length) {
        const uint8_t end = (uint8_t)(from + bytes[from]);
        if (end > length || end <= from)
            return 0;
        for (from++; from < end; from++)
            bytes[to++] = bytes[from];
        if (end < length)
            bytes[to++] = 0;
    }
    return to;
}

bool frame_take(struct frame_reader *reader, uint8_t byte, struct frame *frame) {
    uint8_t *bytes = reader->bytes;
    if (byte != 0) {
        if (reader->length < sizeof reader->bytes)
            bytes[reader->length] = byte;
        if (reader->length <= sizeof reader->bytes)
            reader->length++;
        return false;
    }
    const uint8_t encoded = reader->length;
    reader->length = 0;
    if (encoded > sizeof reader->bytes)
        return false;
    const uint8_t length = unstuff(bytes, encoded);
    if (length < FRAME_HEADER + FRAME_CRC)
        return false;
    uint16_t crc = 0xFFFF;
    for (uint8_t at = 0; at < length - FRAME_CRC; at++)
        crc = crc16(crc, bytes[at]);
    if (crc != frame_get16(bytes + length - FRAME_CRC))
        return false;
    frame->version = bytes[0] >> 4;
    frame->type = bytes[0] & 0x0F;
    frame->box = bytes[1];
    frame->seq = frame_get16(bytes + 2);
    frame->payload = bytes + FRAME_HEADER;
    frame->length = (uint8_t)(length - FRAME_HEADER - FRAME_CRC);
    return true;
}

uint16_t frame_get16(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}
