#include "box.h"
#include "hardware.h"

int main(void) {
    uint32_t done = 0;
    hardware_start();
    box_start();
    for (;;) {
        uint8_t byte;
        while (hardware_receive(&byte))
            box_hear(byte);
        if (done != hardware_milliseconds())
            box_millisecond(++done);
        else
            hardware_sleep(done);
    }
}
