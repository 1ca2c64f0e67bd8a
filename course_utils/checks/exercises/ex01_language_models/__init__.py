"""Lecture 01: count, judge, look up, score, step, walk back, find what is wrong, write on."""
