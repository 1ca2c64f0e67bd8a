"""A registry knows what the modules of its package register, one thing a name."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from course_utils.training.race.race import Race, all_races
from course_utils.training.registry import Registry


@dataclass(frozen=True)
class Cake:
    """Something with a name, and with what tells it from another of the same name."""

    name: str
    eggs: int = 0


def test_one_name_is_one_thing():
    """Catches a second race that takes the first one's place, and a module imported twice."""
    cakes = Registry[Cake]("cakes", "course_utils.results")
    first = cakes.register(Cake("sponge", 4))
    assert cakes.register(Cake("sponge", 4)) == first
    with pytest.raises(ValueError, match="two cakes called 'sponge'"):
        cakes.register(Cake("sponge", 3))
    cakes.register(Cake("apple"))
    assert list(cakes.all().items()) == [("apple", Cake("apple")), ("sponge", first)]


def test_modules_below_the_package_are_asked_too():
    """Catches lecture 10's races lost: they are registered in a folder of their own."""
    races = all_races()
    assert all(isinstance(race, Race) and race.name == name for name, race in races.items())
    assert "lecture10" in races
