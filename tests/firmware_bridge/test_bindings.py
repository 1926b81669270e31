import re
from pathlib import Path

import pytest

from companion.errors import InvalidDocument
from companion.session.intents import Intent, IntentKind
from firmware_bridge.presses.bindings import default_bindings, load_bindings, save_bindings
from firmware_bridge.protocol.gestures import Gesture

SINGLE, DOUBLE, LONG = Gesture.SINGLE, Gesture.DOUBLE, Gesture.LONG
OWN = """
format = 1
[[binding]]
button = 1
intent = "done"
[[binding]]
box = "mqtt:blue"
button = 1
intent = "pause"
[[binding]]
box = "mqtt:blue"
button = 1
gesture = "long"
intent = "choose"
choice = 3
"""


@pytest.fixture
def bindings_file(tmp_path: Path) -> Path:
    return tmp_path / "bindings.toml"


def test_the_four_buttons_of_every_box() -> None:
    kinds = [IntentKind.DONE, IntentKind.NO, IntentKind.NEXT, IntentKind.HELP]
    intents = [default_bindings().intent("serial:/dev/x", button, SINGLE, 2) for button in range(1, 6)]
    assert intents == [*(Intent(kind, seat=2) for kind in kinds), None]
    assert default_bindings().gestures("mqtt:a", 1) == {SINGLE}


def test_a_box_of_its_own_goes_before_every_box(bindings_file: Path) -> None:
    bindings_file.write_text(OWN, encoding="utf-8")
    bindings = load_bindings(bindings_file)
    assert bindings.intent("mqtt:blue", 1, SINGLE, None) == Intent(IntentKind.PAUSE)
    assert bindings.intent("mqtt:blue", 1, LONG, 4) == Intent(IntentKind.CHOOSE, seat=4, choice=3)
    assert bindings.intent("mqtt:red", 1, SINGLE, 1) == Intent(IntentKind.DONE, seat=1)
    assert bindings.gestures("mqtt:blue", 1) == {SINGLE, LONG}
    assert bindings.gestures("mqtt:red", 1) == {SINGLE}
    assert bindings.gestures("mqtt:red", 2) == frozenset()


@pytest.mark.parametrize(
    ("text", "entry", "reason"),
    [
        ("", "format", "is missing"),
        ("format = 2", "format", "reads format 1"),
        ("format = 1\nbindings = 1", "bindings", "is not known here"),
        ("format = 1\nbinding = 1", "binding", "must be a list"),
        ("format = 1\nbinding = [1]", "binding[1]", "must be a table"),
        ('format = 1\n[[binding]]\nintent = "done"', "binding[1].button", "is missing"),
        ('format = 1\n[[binding]]\nbutton = 0\nintent = "done"', "binding[1].button", "from 1 to 16"),
        ('format = 1\n[[binding]]\nbutton = "1"\nintent = "done"', "binding[1].button", "must be a whole number"),
        ("format = 1\n[[binding]]\nbutton = 1", "binding[1].intent", "is missing"),
        ('format = 1\n[[binding]]\nbutton = 1\nintent = "win"', "binding[1].intent", "must be one of done, no"),
        ('format = 1\n[[binding]]\nbutton = 1\nintent = "choose"', "binding[1].choice", "is missing"),
        ('format = 1\n[[binding]]\nbutton = 1\nintent = "no"\nchoice = 1', "binding[1].choice", "choose only"),
        (
            'format = 1\n[[binding]]\nbutton = 1\nintent = "no"\ngesture = "kick"',
            "binding[1].gesture",
            "single, double",
        ),
        ('format = 1\n[[binding]]\nbutton = 1\nintent = "no"\nbox = "box:1"', "binding[1].box", "begins with serial:"),
        ('format = 1\n[[binding]]\nbutton = 1\nintent = "no"\nbox = "mqtt:a@1"', "binding[1].box", "names a seat"),
        ('format = 1\n[[binding]]\nbutton = 1\nintent = "no"\nled = 1', "binding[1].led", "is not known here"),
        (OWN + '[[binding]]\nbutton = 1\nintent = "no"\n', "binding[4].button", "two meanings"),
        ("format = ", "", "is not TOML"),
        (OWN + "[[box]]\nseat = 1\n", "box[1].box", "is missing"),
        (OWN + '[[box]]\nbox = "mqtt:a"\nseat = 13\n', "box[1].seat", "from 1 to 12"),
        (OWN + '[[box]]\nbox = "mqtt:a"\n[[box]]\nbox = "mqtt:a"\n', "box[2].box", "stands here twice"),
        (OWN + '[[binding]]\nword = "x"\nintent = "no"\n', "binding[4].box", "is missing"),
        (
            OWN + '[[binding]]\nbox = "mqtt:a"\nbutton = 1\nword = "x"\nintent = "no"\n',
            "binding[4].button",
            "beside a word",
        ),
    ],
)
def test_bindings_that_do_not_hold_name_file_entry_and_reason(
    bindings_file: Path, text: str, entry: str, reason: str
) -> None:
    bindings_file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidDocument) as caught:
        load_bindings(bindings_file)
    assert (caught.value.source, caught.value.entry) == (str(bindings_file), entry)
    assert reason in caught.value.reason


SEATED = """# my boxes
format = 1
box = [
    {box = "usb:0011223344556677", seat = 2},
    {box = "button:zigbee2mqtt/kitchen"},
]
# by the window
[[binding]]
box = "button:zigbee2mqtt/kitchen"
word = "brightness_move_up"
intent = "next"
"""


def test_boxes_that_belong_to_the_table_and_words_of_devices(bindings_file: Path) -> None:
    bindings_file.write_text(SEATED, encoding="utf-8")
    bindings = load_bindings(bindings_file)
    assert bindings.seats == {"usb:0011223344556677": 2, "button:zigbee2mqtt/kitchen": None}
    kitchen = "button:zigbee2mqtt/kitchen"
    assert bindings.intent_of_word(kitchen, "brightness_move_up", 3) == Intent(IntentKind.NEXT, seat=3)
    assert bindings.intent_of_word(kitchen, "brightness_move_down", 3) is None


def test_without_bindings_of_its_own_a_file_has_the_usual_ones(bindings_file: Path) -> None:
    bindings_file.write_text('format = 1\n[[box]]\nbox = "mqtt:blue"\nseat = 1\n', encoding="utf-8")
    bindings = load_bindings(bindings_file)
    assert bindings.intents == default_bindings().intents
    assert bindings.seats == {"mqtt:blue": 1}
    bindings_file.write_text("format = 1\n", encoding="utf-8")
    assert load_bindings(bindings_file) == default_bindings()


def test_what_is_written_reads_the_same(bindings_file: Path) -> None:
    bindings = (
        default_bindings()
        .with_seat("mqtt:blue", 1)
        .with_seat('serial:/dev/tty"odd\\name', None)
        .with_intent("mqtt:blue", 2, LONG, Intent(IntentKind.CHOOSE, choice=3))
        .with_word("button:zigbee2mqtt/kitchen", 'say "yes"', Intent(IntentKind.DONE))
    )
    save_bindings(bindings_file, bindings)
    assert load_bindings(bindings_file) == bindings
    assert list(bindings_file.parent.iterdir()) == [bindings_file]


def test_a_box_that_is_forgotten_leaves_nothing_behind(bindings_file: Path) -> None:
    before = default_bindings().with_seat("mqtt:red", 1)
    with_blue = (
        before.with_seat("mqtt:blue", None)
        .with_intent("mqtt:blue", 2, LONG, Intent(IntentKind.UNDO))
        .with_word("mqtt:blue", "on", Intent(IntentKind.DONE))
    )
    save_bindings(bindings_file, with_blue)
    save_bindings(bindings_file, with_blue.without("mqtt:blue"))
    assert load_bindings(bindings_file) == before


def test_comments_are_kept_when_a_box_moves(bindings_file: Path) -> None:
    bindings_file.write_text(OWN.replace("format", "# mine\nformat") + "# the last word\n", encoding="utf-8")
    before = load_bindings(bindings_file)
    after = before.with_seat("mqtt:blue", 4)
    save_bindings(bindings_file, after)
    assert load_bindings(bindings_file) == after
    assert "# mine" in bindings_file.read_text(encoding="utf-8")
    save_bindings(bindings_file, after.with_seat("mqtt:blue", 5).with_intent(None, 1, SINGLE, Intent(IntentKind.HELP)))
    again = load_bindings(bindings_file)
    assert again.seats == {"mqtt:blue": 5}
    assert again.intent("mqtt:red", 1, SINGLE, None) == Intent(IntentKind.HELP)
    assert len(again.intents) == len(before.intents)


def test_comments_within_a_binding_are_kept_while_it_is_wanted(bindings_file: Path) -> None:
    bindings_file.write_text(SEATED.replace('word = "', '# the round key\nword = "'), encoding="utf-8")
    before = load_bindings(bindings_file)
    after = before.with_word("button:zigbee2mqtt/kitchen", "toggle", Intent(IntentKind.UNDO)).with_seat("mqtt:blue", 4)
    save_bindings(bindings_file, after)
    assert load_bindings(bindings_file) == after
    text = bindings_file.read_text(encoding="utf-8")
    assert "# the round key" in text
    assert "# my boxes" in text
    assert "# by the window" in text
    save_bindings(bindings_file, before.without("button:zigbee2mqtt/kitchen"))
    assert "# the round key" not in bindings_file.read_text(encoding="utf-8")


def test_a_file_that_does_not_hold_is_not_written_over(bindings_file: Path) -> None:
    bindings_file.write_text("format = 9", encoding="utf-8")
    with pytest.raises(InvalidDocument):
        save_bindings(bindings_file, default_bindings())
    assert bindings_file.read_text(encoding="utf-8") == "format = 9"


def test_the_example_of_the_page_on_formats_holds(bindings_file: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats" / "boxes.md").read_text(encoding="utf-8")
    example = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0]
    bindings_file.write_text(example, encoding="utf-8")
    bindings = load_bindings(bindings_file)
    assert bindings.seats == {"usb:0011223344556677": 2, "button:zigbee2mqtt/kitchen": None}
    assert bindings.intent("mqtt:blue", 1, LONG, 1) == Intent(IntentKind.CHOOSE, 1, 2)
    assert len(bindings.words) == 1


def test_a_file_that_is_not_there(bindings_file: Path) -> None:
    with pytest.raises(InvalidDocument, match="cannot be read"):
        load_bindings(bindings_file)
