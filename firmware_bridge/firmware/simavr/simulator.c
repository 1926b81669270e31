/* An Arduino Uno with a box's firmware, in simavr: `simulator FIRMWARE.elf [-p PORT] [-e EEPROM] [-s SEED] [-f HERTZ]`.

   With -p it keeps pace with the clock and its serial line is a pseudo-terminal linked at PORT. Without, time goes on only
   by `run`, which ends with the event `ran` and the bytes sent meanwhile: the same commands give the same events, always.

   Commands, one a line: press N, release N, bounce N TIMES, reset, unplug, plug, run MICROSECONDS, listen MICROSECONDS (no
   further than to the end of a frame), send HEX, stat.
   Events are JSON, one a line. It ends when its standard input does. -e keeps the EEPROM in a file, -s chooses the noise of
   open inputs, -f is what the oscillator really does (16000000). */

#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <avr_adc.h>
#include <avr_eeprom.h>
#include <avr_extint.h>
#include <avr_ioport.h>
#include <avr_uart.h>
#include <sim_avr.h>
#include <sim_elf.h>
#include <sim_time.h>

enum { BUTTONS = 4, FIRST_BUTTON = 2, LEDS = 4, FIRST_LED = 2, BUZZER = 1, OPEN_INPUTS = 6 };
enum { EEPROM_BYTES = 1024, SRAM_START = 0x100, SRAM_BYTES = 2048, UNTOUCHED = 0xA5 };
enum { BOUNCE_US = 400, NOTICED_US = 20000, LONGEST_TONE_PERIOD_US = 60000, LONGEST_LAG_US = 1000000 };

static avr_t *avr;
static avr_irq_t *buttons[BUTTONS], *uart_input;
static bool is_powered, is_held_off;
static uint8_t down, led_levels;
static uint64_t moved_us[BUTTONS];
static const char *port_path, *eeprom_path;
static int master = -1, slave = -1;
static uint8_t to_box[4096];
static size_t to_box_from, to_box_to;
static uint8_t from_box[65536];
static size_t from_box_count;
static bool has_frame_ended;
static struct { uint64_t first_us, last_us; unsigned edges; bool is_high; } tone;
static struct { int button, left; } bouncing;

static uint64_t simulated_us(void) { return avr->cycle * 1000000 / avr->frequency; }

static void fail(const char *what) {
    fprintf(stderr, "simulator: %s\n", what);
    exit(1);
}

static void contact(int button, bool closed) {
    down = closed ? down | 1 << button : down & ~(1 << button);
    moved_us[button] = simulated_us();
    avr_raise_irq(buttons[button], !closed);
}

static avr_cycle_count_t bounce(avr_t *mcu, avr_cycle_count_t when, void *unused) {
    (void)unused;
    contact(bouncing.button, bouncing.left % 2 == 0);
    return bouncing.left-- > 0 ? when + avr_usec_to_cycles(mcu, BOUNCE_US) : 0;
}

static void on_led(struct avr_irq_t *irq, uint32_t level, void *led) {
    (void)irq;
    const uint8_t bit = 1 << (intptr_t)led;
    if (!(led_levels & bit) != !level) {
        led_levels ^= bit;
        printf("{\"ev\":\"led\",\"led\":%d,\"on\":%s,\"us\":%llu}\n", (int)(intptr_t)led + 1, level ? "true" : "false",
               (unsigned long long)simulated_us());
    }
}

static void on_buzzer(struct avr_irq_t *irq, uint32_t level, void *unused) {
    (void)irq, (void)unused;
    const bool was_high = tone.is_high;
    tone.is_high = level & 1;
    if (was_high || !tone.is_high)
        return;
    tone.last_us = simulated_us();
    if (tone.edges++ == 0)
        tone.first_us = tone.last_us;
}

static void end_tone(void) {
    if (tone.edges && simulated_us() - tone.last_us > LONGEST_TONE_PERIOD_US) {
        const double seconds = (tone.last_us - tone.first_us) / 1e6;
        printf("{\"ev\":\"buzz\",\"hertz\":%.0f,\"ms\":%.0f}\n", seconds ? (tone.edges - 1) / seconds : 0, seconds * 1e3);
        tone.edges = 0;
    }
}

static void on_uart_output(struct avr_irq_t *irq, uint32_t byte, void *unused) {
    (void)irq, (void)unused;
    const uint8_t sent = byte;
    if (port_path) {
        if (write(master, &sent, 1) != 1)
            return; /* nobody reads; a serial line forgets too */
    } else if (from_box_count < sizeof from_box) {
        has_frame_ended |= sent == 0 && from_box_count && from_box[from_box_count - 1] != 0;
        from_box[from_box_count++] = sent;
    }
}

static void feed_uart(void) {
    while (is_powered && !is_held_off && to_box_from != to_box_to)
        avr_raise_irq(uart_input, to_box[to_box_from++]);
}

static void on_uart_ready(struct avr_irq_t *irq, uint32_t value, void *unused) {
    (void)irq, (void)value, (void)unused;
    is_held_off = false;
    feed_uart();
}

static void on_uart_full(struct avr_irq_t *irq, uint32_t value, void *unused) {
    (void)irq, (void)value, (void)unused;
    is_held_off = true;
}

static void on_adc(struct avr_irq_t *irq, uint32_t value, void *unused) {
    (void)irq, (void)value, (void)unused;
    for (int input = 0; input < OPEN_INPUTS; input++)
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + input), 1500 + random() % 500);
}

static void log_errors(avr_t *mcu, const int level, const char *format, va_list values) {
    (void)mcu;
    if (level == LOG_ERROR)
        vfprintf(stderr, format, values);
}

static void no_sleep(avr_t *mcu, avr_cycle_count_t cycles) { (void)mcu, (void)cycles; }

static void start_anew(void) {
    avr_reset(avr);
    for (int interrupt = 0; interrupt < 2; interrupt++)
        avr_extint_set_strict_lvl_trig(avr, interrupt, 0); /* else simavr looks at a low pin in every cycle */
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    is_held_off = false;
    to_box_from = to_box_to = 0;
    tone.edges = 0;
    for (int button = 0; button < BUTTONS; button++) {
        const bool closed = down >> button & 1;
        contact(button, !closed); /* what a pin's level was is forgotten by the pin, not by simavr's wire to it */
        contact(button, closed);
    }
}

static void keep_eeprom(bool save) {
    static uint8_t bytes[EEPROM_BYTES];
    avr_eeprom_desc_t all = {.ee = bytes, .offset = 0, .size = sizeof bytes};
    memset(bytes, 0xFF, sizeof bytes);
    if (save)
        avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
    FILE *file = eeprom_path ? fopen(eeprom_path, save ? "wb" : "rb") : NULL;
    if (file) {
        const size_t moved = save ? fwrite(bytes, 1, sizeof bytes, file) : fread(bytes, 1, sizeof bytes, file);
        if (moved != sizeof bytes)
            fail("the EEPROM's file is not whole");
        fclose(file);
    } else if (save && eeprom_path)
        fail("the EEPROM's file cannot be written");
    if (!save)
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
}

static void plug(void) {
    if (is_powered)
        return;
    if (port_path) {
        struct termios raw;
        if (openpty(&master, &slave, NULL, NULL, NULL) || tcgetattr(slave, &raw))
            fail("there is no pseudo-terminal");
        cfmakeraw(&raw);
        tcsetattr(slave, TCSANOW, &raw);
        fcntl(master, F_SETFL, O_NONBLOCK);
        if (symlink(ptsname(master), port_path))
            fail("the port's path is taken");
    }
    is_powered = true;
    memset(avr->data + SRAM_START, UNTOUCHED, SRAM_BYTES);
    start_anew();
    printf("{\"ev\":\"plugged\"}\n");
}

static void unplug(void) {
    if (!is_powered)
        return;
    is_powered = false;
    if (port_path) {
        unlink(port_path);
        close(slave);
        close(master);
        master = slave = -1;
    }
    for (intptr_t led = 0; led < LEDS; led++)
        on_led(NULL, 0, (void *)led);
    keep_eeprom(true);
    printf("{\"ev\":\"unplugged\"}\n");
}

static void run_until(avr_cycle_count_t cycle, bool listens) {
    has_frame_ended = false;
    while (is_powered && avr->cycle < cycle && !(listens && has_frame_ended)) {
        const int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            fail("the firmware has crashed");
    }
    if (!is_powered && avr->cycle < cycle)
        avr->cycle = cycle;
    end_tone();
}

static void stat(void) {
    int untouched = 0, longest = 0;
    for (int at = 0; at < SRAM_BYTES; at++) {
        untouched = avr->data[SRAM_START + at] == UNTOUCHED ? untouched + 1 : 0;
        longest = untouched > longest ? untouched : longest;
    }
    printf("{\"ev\":\"stat\",\"us\":%llu,\"unused_sram\":%d}\n", (unsigned long long)simulated_us(), longest);
}

static void send_hex(const char *hex) {
    for (unsigned byte; to_box_to < sizeof to_box && sscanf(hex, "%2x", &byte) == 1; hex += 2)
        to_box[to_box_to++] = byte;
    feed_uart();
    if (to_box_from == to_box_to)
        to_box_from = to_box_to = 0;
}

static void obey(const char *line) {
    long long number, times;
    if (sscanf(line, "press %lld", &number) == 1 && number >= 1 && number <= BUTTONS)
        contact(number - 1, true);
    else if (sscanf(line, "release %lld", &number) == 1 && number >= 1 && number <= BUTTONS)
        contact(number - 1, false);
    else if (sscanf(line, "bounce %lld %lld", &number, &times) == 2 && number >= 1 && number <= BUTTONS) {
        bouncing.button = number - 1;
        bouncing.left = 2 * times;
        avr_cycle_timer_register(avr, 1, bounce, NULL);
    } else if (sscanf(line, "run %lld", &number) == 1 || sscanf(line, "listen %lld", &number) == 1) {
        run_until(avr->cycle + number * avr->frequency / 1000000, *line == 'l');
        printf("{\"ev\":\"ran\",\"us\":%llu,\"sent\":\"", (unsigned long long)simulated_us());
        for (size_t at = 0; at < from_box_count; at++)
            printf("%02x", from_box[at]);
        printf("\"}\n");
        from_box_count = 0;
    } else if (!strncmp(line, "send ", 5))
        send_hex(line + 5);
    else if (!strcmp(line, "reset"))
        start_anew();
    else if (!strcmp(line, "unplug"))
        unplug();
    else if (!strcmp(line, "plug"))
        plug();
    else if (!strcmp(line, "stat"))
        stat();
    else
        fail("a command is not known");
}

/* With the clock two moves of a contact may be said at once; the board is to notice both. */
static bool must_wait(const char *line) {
    int button;
    return port_path && is_powered &&
           (sscanf(line, "press %d", &button) == 1 || sscanf(line, "release %d", &button) == 1) && button >= 1 &&
           button <= BUTTONS && simulated_us() < moved_us[button - 1] + NOTICED_US;
}

static char text[16384];
static size_t text_length;

static void obey_lines(void) {
    char *line = text, *end;
    while ((end = memchr(line, '\n', text + text_length - line))) {
        *end = 0;
        if (must_wait(line)) {
            *end = '\n';
            break;
        }
        obey(line);
        line = end + 1;
    }
    text_length -= line - text;
    memmove(text, line, text_length);
}

/* Take what has come and obey it; false at the end. */
static bool obey_input(void) {
    const ssize_t got = read(STDIN_FILENO, text + text_length, sizeof text - text_length);
    if (got <= 0)
        return false;
    text_length += got;
    obey_lines();
    return true;
}

static void hear_port(void) {
    memmove(to_box, to_box + to_box_from, to_box_to - to_box_from);
    to_box_to -= to_box_from;
    to_box_from = 0;
    const ssize_t got = read(master, to_box + to_box_to, sizeof to_box - to_box_to);
    if (got > 0)
        to_box_to += got;
    feed_uart();
}

static uint64_t clock_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000ull + now.tv_nsec / 1000;
}

static void keep_pace(void) {
    uint64_t begin = clock_us() - simulated_us();
    for (;;) {
        struct pollfd ready[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = master, .events = POLLIN}};
        if (text_length == sizeof text)
            ready[0].fd = -1;
        poll(ready, 2, 1);
        if (ready[0].revents && !obey_input())
            return;
        obey_lines();
        if (is_powered && ready[1].revents & POLLIN)
            hear_port();
        uint64_t due = clock_us() - begin;
        if (due > simulated_us() + LONGEST_LAG_US) {
            begin += due - simulated_us() - LONGEST_LAG_US;
            due = simulated_us() + LONGEST_LAG_US;
        }
        run_until(due * avr->frequency / 1000000, false);
    }
}

int main(int count, char **arguments) {
    uint32_t hertz = 16000000;
    for (int option; (option = getopt(count, arguments, "p:e:s:f:")) != -1;)
        switch (option) {
        case 'p': port_path = optarg; break;
        case 'e': eeprom_path = optarg; break;
        case 's': srandom(strtoul(optarg, NULL, 10)); break;
        case 'f': hertz = strtoul(optarg, NULL, 10); break;
        default: return 2;
        }
    avr_global_logger_set(log_errors);
    elf_firmware_t firmware = {0};
    if (optind >= count || elf_read_firmware(arguments[optind], &firmware))
        fail("the firmware cannot be read");
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr || avr_init(avr))
        fail("simavr knows no ATmega328P");
    firmware.eesize = 0;
    avr_load_firmware(avr, &firmware);
    avr->frequency = hertz;
    avr->sleep = no_sleep;
    avr->vcc = avr->avcc = avr->aref = 5000;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int button = 0; button < BUTTONS; button++)
        buttons[button] = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), FIRST_BUTTON + button);
    for (intptr_t led = 0; led < LEDS; led++)
        avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), FIRST_LED + led), on_led, (void *)led);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), BUZZER), on_buzzer, NULL);
    uart_input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_uart_output, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), on_uart_ready, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), on_uart_full, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), on_adc, NULL);
    keep_eeprom(false);
    plug();
    if (port_path)
        keep_pace();
    else
        while (obey_input())
            ;
    unplug();
    return 0;
}
