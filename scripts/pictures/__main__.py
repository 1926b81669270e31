"""Photographs the app's screens offscreen: the pictures of docs/screens.md, or every scene in every shape.

    python -m scripts.pictures
    python -m scripts.pictures all --to out/pictures --scenes play score --languages de --sizes 800x480 --texts 1.6

What is cut, small or overlapping is printed below each picture. The pictures are reduced to few colours, so that they
stay small. Where two scenes give the same picture one of them was not come to: that ends the program with exit code 1.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import cv2

from firmware_bridge.errors import BrokerUnavailable
from scripts.pictures.prepared import Prepared, prepared
from scripts.pictures.shots import LARGE, PAGES, PHONE, PICTURES, SHOWN, SMALL, UPRIGHT, USUAL, Shot, index
from ui.application import bootstrap

ROOT = Path(__file__).parents[2]
LANGUAGES = ("en", "it", "de")
SIZES = (USUAL, SMALL, LARGE, PHONE, UPRIGHT)
TEXT_SIZES = (1.0, 1.6)
COLOURS = 64


def main(words: Sequence[str] | None = None) -> None:
    """Take the pictures that the documents show, or all of them."""
    options = argparse.ArgumentParser(prog="python -m scripts.pictures", description="Photograph the app's screens.")
    options.add_argument("which", nargs="?", choices=("all",), help="every scene in every language and size")
    options.add_argument("--to", type=Path, default=ROOT / PICTURES, help="folder for the pictures")
    options.add_argument("--scenes", nargs="*", default=[""], help="only those whose names begin so")
    options.add_argument("--languages", nargs="*", choices=LANGUAGES, default=LANGUAGES)
    options.add_argument("--sizes", nargs="*", type=size, default=SIZES, help="as 1280x800")
    options.add_argument("--texts", nargs="*", type=float, default=TEXT_SIZES, help="as 1.6")
    chosen = options.parse_args(words)
    pictures = chosen.to.resolve()
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)  # so that what the screens show of folders is not this machine's
        folder = Path("evening")
        folder.mkdir()
        os.environ["XDG_PICTURES_DIR"] = str(Path(name) / folder / "photographs")
        bootstrap.prepare(Path(name) / "kivy", size=(1920, 1280), offscreen=True)
        shots = [shot for shot in (every_shot() if chosen.which == "all" else SHOWN) if is_chosen(shot, chosen)]
        alike: list[tuple[str, str]] = []
        if shots:
            with prepared(folder) as there:
                alike = take(shots, there, pictures)
        os.chdir(ROOT)
    if chosen.which != "all":
        take_hub([shot for shot in PAGES if is_chosen(shot, chosen)], pictures)
    if alike:
        sys.exit(
            "\n".join(f"{one} and {other} show the same: one of the scenes was not come to" for one, other in alike)
        )
    if pictures == ROOT / PICTURES:
        (ROOT / "docs" / "screens.md").write_text(index(), encoding="utf-8")


def is_chosen(shot: Shot, chosen: argparse.Namespace) -> bool:
    """Whether the command line asks for a picture."""
    return (
        shot.scene.startswith(tuple(chosen.scenes))
        and shot.language in chosen.languages
        and shot.size in chosen.sizes
        and shot.text_size in chosen.texts
    )


def take_hub(shots: Sequence[Shot], folder: Path) -> None:
    """Photograph pages of the hub, where everything that it needs is there; else say what is missing."""
    if not shots:
        return
    try:
        from scripts.pictures.organiser import CHROMIUM, take_pages  # noqa: PLC0415  # the packages of an extra

        if CHROMIUM is None:
            raise FileNotFoundError("chromium is not installed")
        take_pages(shots, folder, CHROMIUM, reduce_colours)
    except (ImportError, FileNotFoundError, BrokerUnavailable) as error:
        print(f"the hub's pages stay as they are: {error}")


def size(text: str) -> tuple[int, int]:
    """Width and height in pixels of a text like 800x480."""
    width, _times, height = text.partition("x")
    return int(width), int(height)


def every_shot() -> Iterator[Shot]:
    """Each scene in each language, size and size of texts."""
    from scripts.pictures.scenes import SCENES  # noqa: PLC0415

    for language, scene, text_size, size in product(LANGUAGES, SCENES, TEXT_SIZES, SIZES):
        yield Shot(scene, language, size, text_size)


def take(shots: Sequence[Shot], there: Prepared, folder: Path) -> list[tuple[str, str]]:
    """Take pictures, those of one scene in one language after the other, for they are one visit; gives the names of
    pictures that are the same.
    """
    from kivy.base import runTouchApp  # noqa: PLC0415

    from scripts.pictures.faults import faults  # noqa: PLC0415
    from scripts.pictures.scenes import SCENES  # noqa: PLC0415
    from scripts.pictures.visit import Visit  # noqa: PLC0415
    from ui.application.app import CompanionApp  # noqa: PLC0415

    app = CompanionApp(None, there.shell.tick, there.shell.close, shell=there.shell)
    app._run_prepare()
    runTouchApp(embedded=True)
    visit, place = Visit(app, there), ("", "", "")
    taken: dict[bytes, str] = {}
    alike = []
    for shot in sorted(shots, key=lambda shot: (LANGUAGES.index(shot.language), shot.theme, shot.scene)):
        visit.dress(shot.language, shot.theme)
        visit.resize(shot.size, shot.text_size)
        if place != (shot.language, shot.theme, shot.scene):
            visit.go(SCENES[shot.scene])
            place = shot.language, shot.theme, shot.scene
        visit.settle()
        visit.print_boards()
        visit.settle()
        path = app.save_screenshot(folder / f"{shot.name}.png")
        reduce_colours(path)
        earlier = taken.setdefault(path.read_bytes(), path.name)
        if earlier != path.name:
            alike.append((earlier, path.name))
        print(f"{path.name} {path.stat().st_size // 1000} kB", *faults(visit.screen), sep="\n    ", flush=True)
    app.dispatch("on_stop")
    return alike


def reduce_colours(path: Path) -> None:
    """Write the picture anew with fewer shades, which PNG packs far better."""
    picture = cv2.imread(str(path))
    step = 256 // COLOURS
    cv2.imwrite(str(path), picture // step * step + step // 2, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main()
