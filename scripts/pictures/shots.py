"""Which pictures the documents show, and the page that shows them all."""

from __future__ import annotations

from dataclasses import dataclass

PICTURES = "docs/pictures/screens"
USUAL = (1280, 800)
SMALL, LARGE, PHONE, UPRIGHT = (800, 480), (1920, 1080), (480, 800), (800, 1280)


@dataclass(frozen=True, slots=True)
class Shot:
    """A scene to photograph; `caption` says what is to be seen."""

    scene: str
    language: str = "en"
    size: tuple[int, int] = USUAL
    text_size: float = 1.0
    theme: str = "marble"
    caption: str = ""

    @property
    def name(self) -> str:
        """The file's name, without what is as usual."""
        parts = [self.scene, self.language]
        if self.size != USUAL:
            parts.append(f"{self.size[0]}x{self.size[1]}")
        if self.text_size != 1.0:
            parts.append(f"{round(self.text_size * 100)}")
        return "-".join(parts if self.theme == "marble" else [*parts, self.theme])


SHOWN = (
    Shot("start", caption="the start"),
    Shot("setup-game", "de", PHONE, caption="which game, on a phone"),
    Shot("setup-players", "it", caption="who sits where"),
    Shot("setup-options", "en", SMALL, caption="what the set-up turned up"),
    Shot("setup-rulings", "de", SMALL, 1.6, caption="where the sources disagree, with the largest texts"),
    Shot("setup-board", "de", caption="where everything goes"),
    Shot("play-watched", caption="a game under way, followed by a camera and two boxes"),
    Shot("play-capitol", "it", caption="another one: cards are drawn by touch"),
    Shot("play-aqua_romana", "en", UPRIGHT, caption="an upright tablet"),
    Shot("play-thurn_and_taxis", "de", LARGE, caption="a large screen"),
    Shot("play-thurn_and_taxis", "it", PHONE, caption="a phone"),
    Shot("play-other-sheet", "de", SMALL, caption="the sheet beside the board"),
    Shot("play-refused", "en", caption="the camera saw what no rule allows"),
    Shot("play-refused", "it", SMALL, 1.6, caption="the same on a small screen with the largest texts"),
    Shot("play-differences", "de", SMALL, caption="table and record differ: each spot is answered by itself"),
    Shot("play-help-thurn_and_taxis", "en", SMALL, caption="what may I do?"),
    Shot("correct-capitol", "it", SMALL, caption="the latest action was another one"),
    Shot("table", "de", SMALL, caption="more that can be done at a table"),
    Shot("table-history", "en", PHONE, caption="every entry can be corrected"),
    Shot("table-curtain", "en", SMALL, caption="a closed hand, shown while its name is held"),
    Shot("score-city_of_marble", "de", caption="the score, each line with its pieces"),
    Shot("score-thurn_and_taxis", "it", SMALL, caption="the score of four"),
    Shot("score-plot", "en", PHONE, caption="the score through the game"),
    Shot("share", "it", SMALL, caption="a code for BG Stats, and files"),
    Shot("review", "en", UPRIGHT, caption="a finished game, step by step"),
    Shot("past", "en", SMALL, caption="past games"),
    Shot("help", "it", theme="evening", caption="the rules, each with its source; the dark screen"),
    Shot("settings", "de", SMALL, 1.6, caption="settings, with the largest texts"),
    Shot("photograph-spots", "it", SMALL, caption="a score from one photograph: any spot can be corrected"),
    Shot("cameras", "en", SMALL, caption="setting up a camera"),
    Shot("teach-corners", "de", SMALL, caption="a board without markers, found by its corners"),
    Shot("tracing-places", "it", PHONE, caption="a board of one's own, traced on a photograph"),
    Shot("boxes", "de", PHONE, caption="button boxes: tried, seated, taught"),
    Shot("rehearse-verdict", "en", SMALL, caption="the rehearsal's verdict"),
)

PAGES = (
    Shot("hub-overview", caption="for organisers: all tables in one view"),
    Shot("hub-overview", "de", PHONE, caption="the same on a phone"),
    Shot("hub-table", "it", caption="one of them, live; it asks for the judge"),
    Shot("hub-judge", "en", caption="whom the judge is called by, with what is disputed"),
    Shot("hub-event", "en", caption="a round of an event"),
    Shot("hub-places", "de", caption="places of a drawn round, changed by hand"),
    Shot("hub-standings", "it", caption="standings for the big screen"),
)
"""pages of the hub, as a browser shows them"""


ABOUT = """# Screens

Taken offscreen by `make pictures`, which writes this page too; those of the hub (`--scenes hub`) by Chromium, if it is
there, with mosquitto and simulated tables. After a change of a layout
`python -m scripts.pictures all --to out/pictures` takes every scene in three languages, five windows and two sizes of
texts, and tells what is cut, too small to touch or overlaps; `--scenes`, `--languages`, `--sizes` and `--texts` choose
some. A scene is a line in `scripts/pictures/scenes.py`, a picture here one in `scripts/pictures/shots.py`.

**What the camera of the demo sees** (`make demo`: a ward was laid where no rule allows it)

![what the camera of the demo sees](pictures/camera.png)
"""


def index() -> str:
    """docs/screens.md."""
    return "\n".join([ABOUT, *map(_entry, (*SHOWN, *PAGES))])


def _entry(shot: Shot) -> str:
    width, height = shot.size
    shape = f"{shot.language}, {width}x{height}"
    if shot.text_size > 1:
        shape += f", texts at {shot.text_size:.0%}"
    title = shot.caption[:1].upper() + shot.caption[1:]
    return f"**{title}** ({shape})\n\n![{shot.caption}](pictures/screens/{shot.name}.png)\n"
