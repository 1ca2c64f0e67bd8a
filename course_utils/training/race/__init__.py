"""Races: many runs under equal rules, and one results file that lectures look up."""
