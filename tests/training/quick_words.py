"""The word race without its training: a run takes no time, and one of them is interrupted."""

from __future__ import annotations

import pytest

from course_utils.training.race import words as word_race


def quick_words(monkeypatch: pytest.MonkeyPatch, stop_at: int) -> list[tuple[str, int]]:
    """Let the nth run of a network be interrupted; return the list of the runs that were begun."""
    ran: list[tuple[str, int]] = []

    def quick(cell, share, steps, device):
        ran.append((cell, share))
        if len(ran) == stop_at:
            raise KeyboardInterrupt
        return [{"perplexity": 7.123, "steps": steps, "seconds": 1}]

    monkeypatch.setattr(word_race, "train_words", quick)
    monkeypatch.setattr(word_race, "ORDERS", (1,))
    monkeypatch.setattr(word_race, "TRAINED", {"lstm": word_race.SHARES})
    monkeypatch.setattr(word_race, "count_words", lambda share, order: [{"perplexity": 400.0}])
    return ran
