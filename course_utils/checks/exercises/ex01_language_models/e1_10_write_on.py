"""Exercise 1.10: let a network write, with its unlikely words cut away, until it stops."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes


def write_on(
    W: Tensor, U: Tensor, O: Tensor, word: int, k: int, share: float, stop: int, points: list[float]
) -> list[int]:
    """Return what an Elman network says after `word`, a point in [0, 1) for each word drawn."""
    h, said = W.new_zeros(len(U)), []
    for point in points:
        h = torch.tanh(W[word] + U @ h)
        best = (O @ h).softmax(0).sort(descending=True)
        p, words = best.values[:k], best.indices[:k]
        p = p / p.sum()
        p = p[p.cumsum(0) - p < share]
        ends = (p / p.sum()).cumsum(0)
        place = min(int((ends <= point).sum()), len(p) - 1)
        word = int(words[place])
        if word == stop:
            break
        said.append(word)
    return said


POINTS = (0.62, 0.9, 0.11, 0.77, 0.48, 0.95, 0.3, 0.7, 0.03, 0.85)


def _cases() -> list[Arguments]:
    sizes = ((6, 3, 4, 0.7), (7, 4, 7, 0.6), (8, 3, 3, 1.0), (7, 3, 5, 0.85), (9, 4, 6, 0.5),
             (6, 4, 6, 0.9), (8, 4, 5, 0.75), (7, 3, 6, 0.2))  # fmt: skip
    found = []
    for case, (V, H, k, share) in enumerate(sizes):
        W, U, O = some(V, H, seed=case), some(H, H, seed=case + 20), some(V, H, seed=case + 40)
        points = [*POINTS[case:], *POINTS[:case]]
        for stop in (V, case % V):  # without a stop in the vocabulary, and with one
            found.append((W, U, O, case % 3 + 1, k, share, stop, points))
    return found


EXERCISE = Exercise(
    number="1.10",
    task="let a network write until it stops",
    kind="build",
    reference=write_on,
    takes="W (V, H): what each word adds to the state; U (H, H), O (V, H); word, k, stop: whole "
    "numbers; share: a number above 0, at most 1; points: a list of numbers in [0, 1)",
    gives="a list of whole numbers: the words said",
    example=(
        torch.tensor([[0.0], [1.0], [-1.0]]),
        torch.tensor([[0.5]]),
        torch.tensor([[1.0], [2.0], [-1.0]]),
        1,
        2,
        0.9,
        0,
        [0.2, 0.9, 0.5],
    ),
    cases=_cases,
    hints=(
        "One turn of the loop a point: read the word, score all words, cut, draw, and the drawn "
        "word is the one that is read next. What must outlive a turn? The word, the state, the "
        "list.",
        "h = tanh(W[word] + U @ h), then softmax(O @ h).sort(descending=True): the k likeliest are "
        "the first k. Divide by their sum. In the nucleus is every word before which less than "
        "`share` has been collected: p.cumsum(0) - p < share.",
        "Divide by the sum again, and the point falls on place (p.cumsum(0) <= point).sum() of the "
        "sorted words. If that word is stop, return the list as it is; else append it.",
    ),
    misconceptions=mistakes("""
        the stop word is said
            said.append(word) => pass &&
            word = int(words[place]) => word = int(words[place]); said.append(word)
            You append the word before you ask whether it is the stop word: it ends the text and is
            not part of it.
        never stops
            if word == stop: => if False:
            The stop word is a word like any other here. When it is drawn, the text is over, however
            many points are left.
        the stop word is skipped
            break => continue
            You leave the stop word out and go on. It ends the text: nothing after it is said.
        the stop word is never drawn
            (O @ h).softmax => (O @ h).where(torch.arange(len(O)) != stop, -torch.inf).softmax
            You forbid the stop word. It may be drawn like any other, and then the text is over.
        one word only
            for point in points: => for point in points[:1]:
            You draw one word. Go on, a word for every point, until the stop word comes.
        scored before it has read
            h = torch.tanh(W[word] + U @ h) => before, h = h, torch.tanh(W[word] + U @ h) &&
            (O @ h) => (O @ before)
            You score the next word with the state before the last one was read. Read first.
        begins with the word it was given
            said = W.new_zeros(len(U)), [] => said = W.new_zeros(len(U)), [word]
            Your list begins with the word that was given. Asked for is what the network says after
            it.
        does not hear itself
            word = int(words[place]) => drawn = int(words[place]) &&
            if word == stop: => if drawn == stop: &&
            said.append(word) => said.append(drawn)
            Your network reads the first word again and again. What it has drawn is what it reads
            next.
        forgets at every word
            U @ h => U @ (0 * h)
            Your state begins at zero for every word: then only the last word counts. It is zero
            once, before the loop.
        the nucleus lacks the word that fills it
            p.cumsum(0) - p < share => (p.cumsum(0) <= share) | (p.cumsum(0) <= p[0])
            You keep the words while their sum is at most `share`: together they have less than
            that. The word that reaches it belongs to the nucleus.
        the nucleus of all words
            p = p / p.sum() => p = p * 1
            You measure `share` in the probabilities before the first cut, where the k likeliest do
            not sum to 1. Divide by their sum first.
        cut, and not made to sum to one
            ends = (p / p.sum()).cumsum(0) => ends = p.cumsum(0)
            After the nucleus the probabilities no longer sum to 1, so points near 1 fall beyond
            all pieces. Divide by the sum of what is left.
        no nucleus
            p = p[p.cumsum(0) - p < share] => p = p[:]
            Only the first cut is made. Of the k likeliest keep the fewest that have `share`
            together.
        no top-k
            best.values[:k], best.indices[:k] => best.values, best.indices
            Only the nucleus is cut. Keep the k likeliest words first.
        a bar for every word
            p.cumsum(0) - p < share => (p >= share) | (p == p[0])
            You ask of each word alone whether it reaches `share`. The nucleus asks what the words
            before it have together, so it is wide where the network hesitates.
        always the likeliest
            place = min(int((ends <= point).sum()), len(p) - 1) => place = 0
            You take the likeliest word whatever the point is: that is temperature 0. The point
            chooses.
        cut to a score of zero
            best = (O @ h) => s = O @ h; best = s.where(s >= s.topk(k).values[-1], 0) &&
            best.values[:k], best.indices[:k] => best.values, best.indices
            You set the scores of the words that are cut to 0, and softmax gives them e to the 0.
            Leave them out, or set them to minus infinity.
        the unlikeliest
            sort(descending=True) => sort(descending=False)
            Sorted from the unlikeliest up, the first k are the k words to leave out.
        a place, not a word
            word = int(words[place]) => word = place
            You return the place among the sorted words. The word is words[place].
        one point for all
            (ends <= point) => (ends <= points[0])
            You use the first point for every word. Each word has a point of its own.
        one too far
            int((ends <= point).sum()) => int((ends <= point).sum()) + 1
            You take the word after the one on whose piece the point falls.
        another order of the pieces
            word = int(words[place]) => word = int(words[: len(p)].sort().values[place]) &&
            p.cumsum(0) - p < share] => p.cumsum(0) - p < share]; p = p[words[: len(p)].argsort()]
            You lay the pieces in the order of the words' numbers. Here the likeliest comes first.
        no tanh
            torch.tanh(W[word] + U @ h) => W[word] + U @ h
            The state goes through tanh, as in (1.11).
    """),
)
