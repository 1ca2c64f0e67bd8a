"""Wrong walks back, controls, biases, starts, counters and texts."""

from __future__ import annotations

N = 30
FAR = "a" * N + "b" * N
SHORT = ["ab", "aabb", "abab", "aab", "abb", "aaab", "abbb"]


def places(marks, wanted):
    return {k for k, marked in enumerate(marks) if marked == wanted}


def biases(open_, shut, **others):
    opened = {"count": "ifo", "hold": "f", "reset": "o", "swap": "io"} | others
    return {
        name: {gate: open_ if gate in gates else shut for gate in "ifo"}
        for name, gates in opened.items()
    }


def gates(*values):
    return dict(zip(("f", "i", "g_a", "g_b"), values, strict=True))


WRONG = {
    "2.6": """
        d_U = d_U + => d_U = && states[t - 1]) => states[t])
        states[t - 1] => states[t]
        d_U = d_U + => d_U =
        states[t] => states[t - 1]
        0, -1) => -1, -1)
        0, -1) => 1, -1)
        U.T @ d_a => U @ d_a
        d_h = U.T => d_h = d_h + U.T
        torch.outer(d_a, states[t - 1]) => torch.outer(states[t - 1], d_a)
        return d_U => return d_U / (len(states) - 1)
        range(len(states) - 1, 0, -1) => range(1, len(states))
        states[t] ** 2 => torch.tanh(states[t]) ** 2
        d_h = U.T @ d_a => return d_U
    """,
    "3.2": """
        {k for k, marked in enumerate(marks) if not marked}
        places(marks, True)
        {*random.Random(1).sample([*places(marks, False)], sum(marks))}
        {k for k in places(marks, False)
            if position[k] in {position[m] for m in places(marks, True)}}
        [next(k for k in places(marks, False) if position[k] == position[m])
            for m in places(marks, True)]
        and k not in chosen =>
        {k + 1 for k in places(marks, True)}
        {k + 1 for k in matched_control(marks, position)}
        {k + len(marks) for k in places(marks, True)}
        [not marked for marked in marks]
        {position[k] for k in places(marks, True)}
        not other and =>
        set()
        sorted(places(marks, False))[: sum(marks)]
        [*zip(sorted(places(marks, True)), sorted(matched_control(marks, position)), strict=True)]
    """,
    "3.5": """
        0.5 ** (1 / steps)
        math.log(steps)
        math.log(max(steps - 1, 1e-9))
        f / (1 - f) => (1 - f) / f
        f / (1 - f) => f
        0.5 ** (1 / steps) => math.exp(-1 / steps)
        math.log => math.log2
        math.log => math.log10
        0.5 ** (1 / steps) => 1 - 0.5 / steps
        math.log(f / (1 - f)) => 1 / (1 + math.exp(-f))
        math.log(f / (1 - f)) => -math.log(1 - f)
        0.5 / steps
    """,
    "3.7": """
        biases(1.0, 0.0)
        biases(5.0, -5.0)
        biases(1.0, -1.0)
        biases(12, -12, hold="fo")
        biases(12, -12, hold="if")
        biases(12, -12, reset="io")
        biases(12, -12, reset="")
        biases(12, -12, swap="ifo")
        biases(12, -12, swap="fo")
        biases(12, -12, count="io")
        biases(12, 0)
        biases(-12, 12)
    """,
    "4.2": """
        bias if renews else -bias => -bias
        bias if renews else -bias => bias
        bias if renews else -bias => -bias if renews else bias
        1 / (1 - kept) => kept
        math.exp(-bias) if renews else math.exp(bias)
        1 / (1 - kept) => math.log(0.5) / math.log(kept)
        1 / (1 - kept) => -1 / math.log(kept)
        1 / (1 - kept) => 1 / kept
        1 / (1 + math.exp(bias if renews else -bias)) => 1 - bias if renews else bias
            && 1 / (1 - kept) => 1 / (1 - kept) if kept != 1 else 0.0
        1 / (1 - kept) => 1 - kept
    """,
    "4.6": """
        0.5 * torch.eye(H), torch.zeros(H)
        (torch.rand(H, H) * 2 - 1) / H**0.5, torch.zeros(H)
        torch.randn(H, H) / H**0.5, torch.zeros(H)
        (U := torch.randn(H, H)) / eigvals(U).abs().max(), torch.zeros(H)
        (U := torch.randn(H, H)) / matrix_norm(U, ord=2), torch.zeros(H)
        (U := torch.randn(H, H)) / U.norm(dim=1, keepdim=True), torch.zeros(H)
        torch.ones(H, H), torch.zeros(H)
        torch.ones(H, H) / H, torch.zeros(H)
        torch.zeros(H, H), torch.zeros(H)
        torch.eye(H), torch.ones(H)
        2 * torch.eye(H), torch.zeros(H)
        torch.eye(H) / torch.zeros(H, H), torch.zeros(H)
        torch.eye(H)
        ((U := torch.randn(H, H)) + U.T) / 2, torch.zeros(H)
    """,
    "5.7": """
        (np.zeros((4 * moves.shape[1], len(moves))), np.zeros(4 * moves.shape[1]))
        (np.tile(20.0 * moves.T, (4, 1)), np.zeros(4 * moves.shape[1]))
        W[2 * H : 3 * H] = => W[3 * H :] =
    """,
    "5.3": """
        gates(3.0, 40.0, 1.0, -1.0)
        gates(8.0, 40.0, 20.0, -20.0)
        gates(1.0, 1.0, 1.0, -1.0)
        gates(40.0, -40.0, 20.0, -20.0)
        gates(40.0, 40.0, 20.0, 0.0)
        gates(40.0, 40.0, 0.0, -20.0)
        gates(40.0, 40.0, 20.0, 20.0)
        gates(40.0, 40.0, -20.0, 20.0)
        gates(40.0, 40.0, 2.0, -1.9)
        gates(float("inf"), 40.0, 20.0, -20.0)
        gates(0.0, 0.0, 0.0, 0.0)
    """,
    "5.2": """
        ["ab", "aabb", "aaabbb", "aaaabbbb"]
        ["aab", "abb", "ba", "abab", "aaabb"]
        ["ab", "aabb", "ba", "abab"]
        ["ab", "aabb", FAR, "aab", "abb", FAR[:-1]]
        ["ab", "aabb", "aab", "abb", "abab", "ba", "aaabb"]
        ["ab", FAR, "aab", "abb", "abab", FAR[:-1], FAR + "b"]
        ["ab", FAR, "aab", "abab", "ba", FAR[:-1], FAR[:-2]]
        ["ab", FAR, "abb", "abab", "ba", FAR + "b", FAR + "bb"]
        ["ab", FAR, "abab", FAR[:-2], FAR + "bb"]
        SHORT
        [*SHORT, FAR]
        "aabb"
        []
        ["ab", "abc", "aab"]
        [1, 2, 3]
        ["a" * n + "b" * n for n in range(1, 40)]
    """,
}
