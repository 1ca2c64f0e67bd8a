"""The six tasks of Peters et al. (2018), table 1, and what its last column must say."""

from __future__ import annotations

from typing import NamedTuple


class PaperTask(NamedTuple):
    """One row: scores in percent, and the relative reduction of the error that is printed."""

    name: str
    about: str
    baseline: float
    elmo: float
    printed: float
    digits: int  # with which the last column is printed
    metric: str = "F1"
    before: float = 0.0  # the best system until then
    spread: str = ""  # of ELMo's score over five seeds, where it is printed

    @property
    def reduction(self) -> float:
        """Return which share of the baseline's error is gone, in percent."""
        return 100 * (self.elmo - self.baseline) / (100 - self.baseline)

    @property
    def agrees(self) -> bool:
        """Return whether the recomputed number is the printed one, rounded as it is printed."""
        return f"{self.reduction:.{self.digits}f}" == f"{self.printed:.{self.digits}f}"


SIX_TASKS = (
    PaperTask("SQuAD", "answer a question", 81.1, 85.8, 24.9, 1, "F1", 84.4),
    PaperTask(
        "SNLI",
        "does one sentence follow from another",
        88.0,
        88.7,
        5.8,
        1,
        "accuracy",
        88.6,
        " ± 0.17",
    ),
    PaperTask("SRL", "who did what to whom", 81.4, 84.6, 17.2, 1, "F1", 81.7),
    PaperTask("Coref", "who is meant by 'she'", 67.2, 70.4, 9.8, 1, "F1", 67.2),
    PaperTask("NER", "names of people and places", 90.15, 92.22, 21, 0, "F1", 91.93, " ± 0.10"),
    PaperTask("SST-5", "five grades of praise", 51.4, 54.7, 6.8, 1, "accuracy", 53.7, " ± 0.5"),
)
