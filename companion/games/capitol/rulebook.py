"""Where the rules of Capitol are collected, in rulebook order."""

from companion.legality import RuleCollector

RULES = RuleCollector()
