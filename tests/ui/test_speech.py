"""What is said aloud."""

import sys
import time
from dataclasses import replace

from tests.ui.tables import play_view, refusal_view, state_after
from ui.services.speech import Speaker, announcement

PROGRAM = f"""#!{sys.executable}
import pathlib, sys
heard = pathlib.Path(__file__).with_name("heard.txt")
text = sys.stdin.read()
heard.write_text(" ".join(sys.argv[1:]) + "|" + text)
"""


def test_a_refusal_is_said_with_its_first_reason_only():
    view = refusal_view()
    said = announcement(view, "refusals")
    assert said.startswith(view.verdict.headline)
    assert view.verdict.sentences[0][0] in said
    assert view.verdict.sentences[1][0] not in said


def test_who_is_next_is_said_only_where_it_is_wanted():
    view = play_view(state_after(60))
    assert announcement(view, "all") == view.prompt
    assert announcement(view, "refusals") == ""
    assert announcement(replace(view, verdict=refusal_view().verdict), "off") == ""


def test_the_program_is_given_text_and_language(tmp_path):
    program = tmp_path / "espeak-ng"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    speaker = Speaker(str(program))
    assert speaker.is_available
    speaker.say("-v Anna: è il tuo turno", "it")
    heard = tmp_path / "heard.txt"
    for _attempt in range(500):
        if heard.exists() and heard.read_text():
            break
        time.sleep(0.01)
    assert heard.read_text() == "-v it --stdin|-v Anna: è il tuo turno"
    speaker.close()


def test_without_the_program_nothing_is_said_and_nothing_fails(tmp_path):
    for speaker in (Speaker(None), Speaker(str(tmp_path / "missing"))):
        speaker.say("Hello", "en")
        assert not speaker.is_available
        speaker.close()
