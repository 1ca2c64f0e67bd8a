"""A class: hand out, collect, grade, bring up to date; below the commands, above the checks."""
