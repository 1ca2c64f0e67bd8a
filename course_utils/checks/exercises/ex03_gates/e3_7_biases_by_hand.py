"""Exercise 3.7: set the biases of gates that count, hold, reset and swap."""

from __future__ import annotations

from typing import Any

import torch

from course_utils.checks.exercise import Exercise

OPEN = {"count": "ifo", "hold": "f", "reset": "o", "swap": "io"}  # which gates


LEAK = 1e-4  # how far a gate may be from 0 or 1


GATES_AT_WORK = {
    ("count", "f"): "the forget gate is shut. Each step wipes what was counted before it.",
    ("count", "i"): "the input gate is shut. Nothing is ever written, so nothing adds up.",
    ("count", "o"): "the output gate is shut. The unit counts and nobody sees it.",
    ("hold", "f"): "the forget gate is shut. The memory is gone after one step.",
    ("hold", "i"): "the input gate is open. Whatever comes by is added to what it should hold.",
    ("hold", "o"): "the output gate is open. It was to hold without showing.",
    ("reset", "f"): "the forget gate is open. What should be wiped stays.",
    ("reset", "i"): "the input gate is open. The old memory goes, and the candidate takes its "
    "place: that is swap.",
    ("reset", "o"): "the output gate is shut. It shows 0, but the memory behind is not asked.",
    ("swap", "f"): "the forget gate is open. The new is added to the old: that is count.",
    ("swap", "i"): "the input gate is shut. The old goes and nothing comes: that is reset.",
    ("swap", "o"): "the output gate is shut. The newest candidate is stored and not shown.",
}


NOT_TIGHT = {
    "f": "the forget gate does not close or open far enough. Over a hundred steps its miss counts "
    "a hundred times: 0.99 to the power of 100 is 0.37. Within 0.0001 it takes a bias beyond 9.2.",
    "i": "the input gate does not close or open far enough. A hundred steps add a hundred small "
    "mistakes. Within 0.0001 of 0 or 1 it takes a bias beyond 9.2.",
    "o": "the output gate does not close or open far enough: within 0.0001 of 0 or 1 it takes a "
    "bias beyond 9.2.",
}


FULL_GATES = (
    "these look like gates, not like biases. A gate is sigmoid(bias): a bias of 0 leaves it half "
    "open and a bias of 1 makes 0.73. Which number makes it 0.9999?"
)


def biases_by_hand() -> dict[str, dict[str, float]]:
    """Return the biases of gates that count, hold, reset and swap."""
    return {
        behaviour: {gate: 12.0 if gate in opened else -12.0 for gate in "ifo"}
        for behaviour, opened in OPEN.items()
    }


def _gates_do(biases: dict[Any, Any]) -> dict[str, str]:
    """Return what is wrong with the gates of each behaviour, `as asked` when nothing is."""
    return {behaviour: _fault(biases[behaviour], opened) for behaviour, opened in OPEN.items()}


def _fault(biases: dict[Any, Any], opened: str) -> str:
    numbers = {gate: float(biases[gate]) for gate in "fio"}
    if {*numbers.values()} <= {0.0, 1.0}:
        return "gates"
    for gate, bias in numbers.items():
        value = torch.sigmoid(torch.tensor(bias)).item()
        miss = 1 - value if gate in opened else value
        if miss > 0.5:
            return f"{gate} turned round"
        if not miss <= LEAK:
            return f"{gate} not tight"
    return "as asked"


def _reasons_for_gates() -> dict[Any, Any]:
    found = {
        (name, f"{gate} turned round"): f"{name}: {why}"
        for (name, gate), why in GATES_AT_WORK.items()
    }
    found |= {
        (name, f"{gate} not tight"): f"{name}: {why}"
        for name in OPEN
        for gate, why in NOT_TIGHT.items()
    }
    return found | {(name, "gates"): f"{name}: {FULL_GATES}" for name in OPEN}


EXERCISE = Exercise(
    number="3.7",
    task="set the biases of gates that count, hold, reset and swap",
    kind="set",
    reference=biases_by_hand,
    gives='a dict such as {"count": {"i": 3.0, "f": -3.0, "o": 0.0}, ...}, a bias a gate',
    cases=lambda: [()],
    effect=_gates_do,
    reasons=_reasons_for_gates(),
    hints=(
        "First the gates, in words: for each of the four, is the old memory kept, is the candidate "
        "written, is the result shown?",
        "count: all open. hold: f alone. reset: o alone. swap: i and o. And a gate is "
        "sigmoid(bias).",
        "sigmoid(b) comes within 0.0001 of 1 from b = 9.3 on, and of 0 from b = -9.3 down: 12 and "
        "-12 will do.",
    ),
    misconceptions=(),
)
