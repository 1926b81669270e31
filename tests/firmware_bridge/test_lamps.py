"""What a link sends to a box's lamps, and how often."""

from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import Led, TextButton
from tests.firmware_bridge.test_link import Table


def test_each_lamp_is_set_once_and_not_again_with_every_beat() -> None:
    table = Table()
    table.link.set_led(3, on=True)
    table.make_ready()
    table.run(10.0)
    assert sorted(message.led for message in table.down.sent if isinstance(message, Led)) == [1, 2, 3, 4]


def test_a_box_in_plain_text_is_sent_no_lamp_that_nobody_set() -> None:
    link = Link(0.1, session=1)
    link.opened(0.0)
    link.receive(TextButton(1, pressed=True), 0.0)
    link.tick(1.0)
    assert not [message for message in link.take_messages() if isinstance(message, Led)]
