"""What a race is: a name, its laps, and how they are run one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from course_utils.data.sets.registry import problems
from course_utils.results.files import Row
from course_utils.training.race.rows import begun, write_rows
from course_utils.training.registry import Registry

Tell = Callable[[str], None]


class Lap(NamedTuple):
    """One run: what marks its rows in the file, how they come about, and the set that it needs."""

    key: Row
    run: Callable[[], Sequence[Row]]
    needs: str = ""


@dataclass(frozen=True)
class Race:
    """Many runs, and the one file NAME.json that holds what they reached.

    `laps(steps, device)` yields them in order, `said` describes one row; `sets` are the registry's
    data sets that some laps need. `model` names the model that all numbers depend on, if they do
    not depend on the code alone; `after` is called with the finished file.
    """

    name: str
    about: str
    laps: Callable[[int | None, str | None], Iterable[Lap]]
    said: Callable[[Row], str]
    sets: tuple[str, ...] = ()
    model: Callable[[], str] = str
    after: Callable[[Path], object] = str

    def run(
        self,
        path: str | Path,
        steps: int | None = None,
        device: str | None = None,
        tell: Tell = print,
    ) -> Path:
        """Run the laps that are not in the file yet; the file is whole after every lap.

        `steps`, if given, replaces every lap's own number of steps. Laps that need a set that is
        not in the cache are skipped with a message.
        """
        path = Path(path)
        results = begun(path, steps, self.model())
        missing = self.missing_sets()
        for name in missing:
            tell(f"{name} is not in the cache (course data fetch {name}): its rows are left out")
        for lap in self.laps(steps, device):
            if lap.needs in missing or any(lap.key.items() <= r.items() for r in results["rows"]):
                continue
            for found in lap.run():
                tell(self.said(lap.key | found))
                results["rows"].append(lap.key | found)
            write_rows(results, path)
        return path

    def missing_sets(self) -> list[str]:
        """Return the sets that some laps need and that are not in the cache."""
        return [name for name in self.sets if problems(name)]


_RACES = Registry[Race]("races", "course_utils.training.race")
register, all_races = _RACES.register, _RACES.all
