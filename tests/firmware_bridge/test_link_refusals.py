"""What a link does not do: accept an older protocol, command lamps that are as they should be."""

from firmware_bridge.protocol.link import Link
from firmware_bridge.protocol.messages import Hello, Led, LinkState, TextButton
from tests.firmware_bridge.test_link import STEP, Table


def test_a_box_of_an_older_protocol_is_refused_in_words() -> None:
    table = Table()
    table.link.receive(Hello(0, 0, 0, 4, 4, 0, 0, 7, 0, 0, bytes(8)), table.now)
    assert table.link.state is LinkState.LOST
    assert str(table.link.reason) == "the box speaks protocol 0-0 and this program 1-1; update the box"


def test_a_lamp_that_is_as_it_was_set_is_not_commanded_again() -> None:
    table = Table()
    table.make_ready()
    table.link.set_led(1, True)
    table.run(0.5)
    assert table.box.lit == {1}
    commands = []
    for _ in range(round(5.0 / STEP)):
        table.now += STEP
        table.link.tick(table.now)
        table.box.tick(table.box_time)
        for message in table.box.take_messages():
            table.link.receive(message, table.now)
        sent = table.link.take_messages()
        commands += [message for message in sent if isinstance(message, Led)]
        for message in sent:
            table.box.receive(message, table.box_time)
    assert commands == []


def test_no_lamp_of_a_plain_text_box_is_commanded_that_nobody_set() -> None:
    link = Link(retry_after=0.1)
    link.opened(0.0)
    link.receive(TextButton(1, True), 0.1)
    link.tick(0.2)
    assert not [message for message in link.take_messages() if isinstance(message, Led)]
    link.set_led(2, True)
    link.tick(0.3)
    assert [message.led for message in link.take_messages() if isinstance(message, Led)] == [2]
