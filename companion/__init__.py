"""The kernel: boards, rules, verdicts, scores and sessions. It imports nothing but the standard library."""
