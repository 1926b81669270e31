"""Where the rules of Thurn and Taxis are collected, in rulebook order."""

from companion.legality import RuleCollector

RULES = RuleCollector()
