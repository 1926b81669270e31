"""What the `companion` command can do, one module for each group of sub-commands.

Each sub-command is a function from the words after its name to an exit code: 0 fine (legal, not checkable), 1 illegal
or a record or picture that does not hold, 2 wrong use, 3 a malformed file or a failed device.
"""
