"""Where the rules of Aqua Romana are collected, in rulebook order."""

from companion.legality import RuleCollector

RULES = RuleCollector()
