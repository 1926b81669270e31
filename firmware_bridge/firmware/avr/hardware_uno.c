/* Arduino Uno (ATmega328P, 16 MHz).

   buttons 1 to 4: pins 2 to 5, to ground      LEDs 1 to 4: pins 10 to 13      buzzer: pin 9      serial line: USB */

#include "hardware.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <util/atomic.h>

enum { BUTTONS_AT = PD2, LEDS_AT = PB2, BUZZER_AT = PB1 };

#define BUTTON_PINS (((1 << BUTTONS) - 1) << BUTTONS_AT)
#define LED_PINS (((1 << LEDS) - 1) << LEDS_AT)

/* As the Arduino's own core sets it: 2.1 % fast, as is the chip between it and the USB socket. */
enum { BAUD = 115200, BAUD_DIVISOR = (F_CPU / 4 / BAUD - 1) / 2, ACTUAL_BAUD = F_CPU / 8 / (BAUD_DIVISOR + 1) };
_Static_assert(ACTUAL_BAUD > BAUD * 0.975 && ACTUAL_BAUD < BAUD * 1.025, "this clock makes no such baud rate");

enum { RECEIVED = 128, TO_SEND = 256 };

static volatile uint32_t milliseconds;
static volatile uint8_t received[RECEIVED], received_in, received_out, lost_bytes;
static volatile uint8_t to_send[TO_SEND], to_send_in, to_send_out;
static uint8_t reset_cause;

enum { IDENTITY_IS_DRAWN = 0xB0 };

static struct {
    uint8_t mark, uid[UID_BYTES];
    uint16_t boot;
} kept EEMEM;

ISR(TIMER0_COMPA_vect) {
    milliseconds++;
}

ISR(USART_RX_vect) {
    const uint8_t byte = UDR0;
    const uint8_t next = (received_in + 1) % RECEIVED;
    if (next == received_out)
        lost_bytes++;
    else {
        received[received_in] = byte;
        received_in = next;
    }
}

ISR(USART_UDRE_vect) {
    if (to_send_out == to_send_in)
        UCSR0B &= (uint8_t)~(1 << UDRIE0);
    else
        UDR0 = to_send[to_send_out++];
}

/* The noise of six open inputs, drawn once in the life of a board: the ATmega328P has no number of its own. */
static void draw_identity(void) {
    uint64_t mixed = 0xCBF29CE484222325;
    ADCSRA = 1 << ADEN | 7 << ADPS0;
    for (uint16_t sample = 0; sample < 512; sample++) {
        ADMUX = 1 << REFS0 | sample % 6;
        ADCSRA |= 1 << ADSC;
        while (ADCSRA & 1 << ADSC)
            ;
        mixed = (mixed ^ ADC) * 0x100000001B3;
    }
    ADCSRA = 0;
    eeprom_update_block(&mixed, kept.uid, UID_BYTES);
    eeprom_update_word(&kept.boot, (uint16_t)(mixed >> 16));
    eeprom_update_byte(&kept.mark, IDENTITY_IS_DRAWN);
}

void hardware_start(void) {
    reset_cause = MCUSR;
    MCUSR = 0;
    PORTD |= BUTTON_PINS;
    DDRB |= LED_PINS | 1 << BUZZER_AT;

    TCCR0A = 1 << WGM01;
    TCCR0B = 1 << CS01 | 1 << CS00;
    OCR0A = F_CPU / 64 / 1000 - 1;
    TIMSK0 = 1 << OCIE0A;

    UBRR0 = BAUD_DIVISOR;
    UCSR0A = 1 << U2X0;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;

    if (eeprom_read_byte(&kept.mark) != IDENTITY_IS_DRAWN)
        draw_identity();
    eeprom_update_word(&kept.boot, eeprom_read_word(&kept.boot) + 1);

    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
}

uint32_t hardware_milliseconds(void) {
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) now = milliseconds;
    return now;
}

void hardware_sleep(uint32_t now) {
    cli();
    if (milliseconds == now && received_in == received_out) {
        sleep_enable();
        sei(); /* takes effect after the next instruction, so nothing slips in between */
        sleep_cpu();
        sleep_disable();
    }
    sei();
}

uint8_t hardware_contacts(void) {
    return (uint8_t)(~PIND & BUTTON_PINS) >> BUTTONS_AT;
}

void hardware_show(uint8_t leds) {
    PORTB = (uint8_t)((PORTB & ~LED_PINS) | leds << LEDS_AT);
}

void hardware_tone(uint16_t hertz) {
    TCCR1A = TCCR1B = 0;
    PORTB &= (uint8_t)~(1 << BUZZER_AT);
    if (hertz) {
        TCNT1 = 0;
        OCR1A = (uint16_t)(F_CPU / 8 / 2 / hertz - 1);
        TCCR1A = 1 << COM1A0;
        TCCR1B = 1 << WGM12 | 1 << CS11;
    }
}

bool hardware_receive(uint8_t *byte) {
    if (received_out == received_in)
        return false;
    *byte = received[received_out];
    received_out = (received_out + 1) % RECEIVED;
    return true;
}

bool hardware_send(const uint8_t *bytes, uint8_t length) {
    if ((uint8_t)(to_send_out - to_send_in - 1) < length)
        return false;
    for (uint8_t at = 0; at < length; at++)
        to_send[(uint8_t)(to_send_in + at)] = bytes[at];
    to_send_in = (uint8_t)(to_send_in + length);
    UCSR0B |= 1 << UDRIE0;
    return true;
}

uint8_t hardware_lost_bytes(void) {
    return lost_bytes;
}

void hardware_uid(uint8_t *uid) {
    eeprom_read_block(uid, kept.uid, UID_BYTES);
}

uint16_t hardware_boot(void) {
    return eeprom_read_word(&kept.boot);
}

uint8_t hardware_reset_cause(void) {
    return reset_cause;
}
