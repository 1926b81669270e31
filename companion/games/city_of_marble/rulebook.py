"""Where the rules of City of Marble are collected, in rulebook order."""

from companion.legality import RuleCollector

RULES = RuleCollector()
