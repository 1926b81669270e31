"""Groups of choices small enough to be seen at once: long ones are split by how their texts begin. No Kivy."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ui.view_models.play_view import ChoiceView

LONG_GROUP = 12
"""more choices of one group than these are split"""
MOST_PARTS = 10
"""the most parts of a group; one that would fall into more is not split"""
_WORD = re.compile(r"[^\s,-]+[\s,-]*")


def split_long_groups(choices: Sequence[ChoiceView]) -> tuple[ChoiceView, ...]:
    """The same choices; those of a long group are in groups named by the words they have in common."""
    members: dict[str, list[ChoiceView]] = defaultdict(list)
    for choice in choices:
        members[choice.group].append(choice)
    names: dict[str, str] = {}
    for group in members.values():
        if len(group) > LONG_GROUP:
            names |= _beginnings([choice.text for choice in group])
    long = {name for name, group in members.items() if len(group) > LONG_GROUP}
    return tuple(
        replace(choice, group=names.get(choice.text, choice.group)) if choice.group in long else choice
        for choice in choices
    )


def _beginnings(texts: Sequence[str]) -> dict[str, str]:
    """Text -> the words with which it and its like begin; empty where they do not fall into a few parts."""
    worded = [_WORD.findall(text) for text in texts]
    shared = _shared(worded)
    parts: dict[str, list[list[str]]] = defaultdict(list)
    for words in worded:
        parts["".join(words[: shared + 1]).strip(" ,-")].append(words)
    if not 1 < len(parts) <= MOST_PARTS:
        return {}
    named = {
        "".join(words): "".join(part[0][: _shared(part)]).strip(" ,-") or name
        for name, part in parts.items()
        for words in part
    }
    for part in parts.values():
        if len(part) > LONG_GROUP:
            finer = named | _beginnings(["".join(words) for words in part])
            named = finer if len(set(finer.values())) <= MOST_PARTS else named
    return named


def _shared(worded: Sequence[Sequence[str]]) -> int:
    """With how many words all of them begin, what follows a word set aside."""
    columns = zip(*([word.strip(" ,-") for word in words] for words in worded), strict=False)
    return next((number for number, column in enumerate(columns) if len(set(column)) > 1), min(map(len, worded)))
