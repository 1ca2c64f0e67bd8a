"""Lectures 03 to 05: an LSTM step, a latch; a GRU step, its parameters; languages that count."""

from __future__ import annotations


def blocks(*parts):
    return [part.chunk(3) for part in parts]


def in_order(text):
    return [*text] == sorted(text)


def depth(text):
    return text.count("(") - text.count(")")


def fell(text):
    return any(depth(text[:t]) < 0 for t in range(len(text) + 1))


WRONG = {
    "3.1": """
        a_i, a_f, a_g, a_o => a_i, a_f, a_o, a_g
        a_i, a_f, a_g, a_o => a_f, a_i, a_g, a_o
        a_i, a_f, a_g, a_o => a_f, a_i, a_o, a_g
        a_i, a_f, a_g, a_o => a_i, a_g, a_f, a_o
        f * c_prev => (1 - f) * c_prev
        f * c_prev => (1 - i) * c_prev
        f * c_prev => c_prev
        i * g => (1 - f) * g
        i * g => g
        f * c_prev + i * g => i * c_prev + f * g
        torch.tanh(c) => c
        torch.tanh(c) => torch.tanh(c_prev)
        torch.tanh(a_g) => torch.sigmoid(a_g)
        torch.tanh(a_g) => a_g
        torch.sigmoid(a_i), torch.sigmoid(a_f) => a_i, a_f && torch.sigmoid(a_o) => a_o
        torch.sigmoid(a_i), torch.sigmoid(a_f) => torch.tanh(a_i), torch.tanh(a_f)
            && torch.sigmoid(a_o) => torch.tanh(a_o)
        o * torch.tanh(c), c => c, o * torch.tanh(c)
        + b) => )
        .chunk(4, dim=-1) => .unflatten(-1, (-1, 4)).unbind(-1)
        f * c_prev + i * g => torch.tanh(f * c_prev + i * g)
        o * torch.tanh(c) => torch.tanh(c)
        + h_prev @ U.T =>
        x_t @ W.T + =>
        torch.tanh(c) => torch.sigmoid(c)
        o * torch.tanh(c), c => o * torch.tanh(c)
    """,
    "3.4": """
        f.sum(0)
        f.mean(0)
        f[-1]
        f[0]
        f[1:].prod(0)
        f[:-1].prod(0)
        (1 - f).prod(0)
        f[0] ** len(f)
        f.cumprod(0)
        f.prod()
        f.mean(0) ** len(f)
        f.prod(1)
        f.prod(-1)
        (f * (1 - f)).prod(0)
        f.log().sum(0)
        f[0] * f[-1]
        1 / f.prod(0)
        torch.sigmoid(f).prod(0)
    """,
    "3.6": """
        [0, 2 * strength], [0, -2 * strength] => [0, -2 * strength], [0, 2 * strength]
            && [-strength, strength, => [strength, -strength,
        [0, -2 * strength] => [0, 2 * strength] && [-strength, strength, => [-strength, -strength,
        [[0, 2 * strength] => [[0, -2 * strength] && [-strength, => [strength,
        [2, 0] => [1, 0]
        0, strength] => 0, -strength]
        0, strength] => 0, 0]
        [[0, 2 * strength], [0, -2 * strength], [2, 0] =>
            [[2 * strength, 0], [-2 * strength, 0], [0, 2]
        [2, 0], [0, 0] => [0, 0], [2, 0] && 0, strength] => strength, 0]
        [0, 2 * strength], [0, -2 * strength] => [0, strength], [0, -strength]
        [-strength, strength, 0, strength] => [0.0, 0.0, 0.0, 0.0]
        [-strength, strength, => [0, 0,
        latch_by_hand(2 * strength)
        [0, 0] => [strength, strength] && 0, strength] => 0, 0]
        return W, b => return b, W
        latch_by_hand(1.0)
        return W, b => return W.T, b
        return W, b => return W
    """,
    "4.1": """
        (1 - u) * h_prev + u * n => u * h_prev + (1 - u) * n
        (r * h_prev) @ U_n.T => r * (h_prev @ U_n.T)
        (r * h_prev) => h_prev
        (r * h_prev) => ((1 - r) * h_prev)
        x_r, x_u, x_n => x_u, x_r, x_n && U_r, U_u, U_n => U_u, U_r, U_n
        x_r, x_u, x_n => x_n, x_r, x_u && U_r, U_u, U_n => U_n, U_r, U_u
        (1 - u) * h_prev + u * n => u * n
        (1 - u) * h_prev => h_prev
        (1 - u) * h_prev => (1 - u) * r * h_prev
        (1 - u) * h_prev + u * n => n
        (1 - u) * h_prev => u * h_prev
        torch.tanh => torch.sigmoid
        torch.tanh( => (
        r = torch.sigmoid => r = torch.tanh && u = torch.sigmoid => u = torch.tanh
        r = torch.sigmoid => r = && u = torch.sigmoid => u =
        (x_t @ W.T + b) => (x_t @ W.T)
        (1 - u) * h_prev + u * n => torch.tanh((1 - u) * h_prev + u * n)
        x_n + (r * h_prev) @ U_n.T =>
            x_n - b.chunk(3)[2] + r * (h_prev @ U_n.T + b.chunk(3)[2])
        x_n + (r * h_prev) @ U_n.T => r * (x_n + h_prev @ U_n.T)
        (1 - u) * h_prev + u * n => h_prev + n
        (r * h_prev) => h_prev && (1 - u) * h_prev => (1 - u) * r * h_prev
        (1 - u) * h_prev + u * n => u * h_prev + (1 - u) * n
            && (r * h_prev) @ U_n.T => r * (h_prev @ U_n.T)
    """,
    "4.3": """
        sign[:, None] * U, sign * b => U, b
        sign * b => b
        sign[:, None] * U => U
        sign[:, None] * W, sign[:, None] * U => W, U
        sign[:, None] * W => W
        [H : 2 * H] => [:H]
        [H : 2 * H] => [2 * H :]
        tuple(torch.cat([r, 1 - u, n]) for r, u, n in blocks(W, U, b))
        tuple(torch.cat([r, 1 / u, n]) for r, u, n in blocks(W, U, b))
        tuple(torch.cat([u, r, n]) for r, u, n in blocks(W, U, b))
        -W, -U, -b
        tuple(torch.cat([r, -u, -n]) for r, u, n in blocks(W, U, b))
        tuple(torch.cat([-r, -u, n]) for r, u, n in blocks(W, U, b))
        W, U, b
        sign[:, None] * W, sign[:, None] * U, sign * b =>
            W.mul_(sign[:, None]), U.mul_(sign[:, None]), b.mul_(sign)
        [H : 2 * H] => [1::3]
        1 - W, 1 - U, 1 - b
        W, U, 1 - b
    """,
    "4.4": """
        gates * (D * H + H * H)
        gates * (D * H + H * H + H)
        gates * (D + H) * H
        gates * (D * H + H + 2 * H)
        D * H + H * H + 2 * H
        (gates - 1) * (D * H + H * H + 2 * H)
        (gates + 1) * (D * H + H * H + 2 * H)
        gates * (D * D + H * H + 2 * H)
        gates * (D * H + D * H + 2 * H)
        gates * (D * H + H * H + 2)
        gates * (D * H + H * H) + 2 * H
        gates * (D * H * H + 2 * H)
        gates * H * (D + H + D)
        gates * (D * H + H * H + D + H)
        gates * (D * H + 2 * H)
        gates * D * H + H * H + 2 * H
        gates * (D * H + H * H) + H
    """,
    "5.1": """
        n > 0 and text == => text[: 2 * n] == && + "c" * n =>
        text.count("a") == text.count("c")
        text.count("a") == text.count("b") and in_order(text)
        text.count("a") == text.count("b") == text.count("c")
        text.count("a") == text.count("b") == text.count("c") >= 1
        in_order(text)
        bool(re.fullmatch("a+b+c+", text))
        n > 0 and =>
        text.count("a") == text.count("b") > 0 and in_order(text)
        text.count("b") == text.count("c") and text.count("a") > 0 and in_order(text)
        text.count("a") == text.count("c") > 0 and in_order(text)
        len(text) % 3 == 0 and len(text) > 0
        len(text) % 3 == 0 and bool(re.fullmatch("a+b+c+", text))
        "a" * n + "b" * n + "c" * n => "abc" * n
        n = len(text) // 3 => n = text.count("a") && + "c" * n =>
        0 < text.count("a") <= text.count("b") <= text.count("c") and in_order(text)
        True
        False
    """,
    "5.6": """
        {"⊣"} if depth(text) == 0 else {"(", ")"}
        {"(", *(")" * (depth(text) > 0)), *("⊣" * (depth(text) == 0))}
        {"("} if not text else {"(", ")"} if text[-1] == "(" else {"(", ")", "⊣"}
        set() if fell(text) else {"(", ")", *("⊣" * (depth(text) == 0))}
        set() if fell(text) else {"(", "⊣", *(")" * (depth(text) != 0))}
        {"(", ")"} if depth => {")"} if depth
        {"(", END} => {END}
        set() if fell(text) else {"("} if not text else {"(", ")"} if depth(text) else {"(", "⊣"}
        {"(", ")"} if depth(text) > 0 else {"(", "⊣"}
        {"(", "⊣"} if depth(text) == 0 else {"(", ")"}
        set() if depth(text) < 0 else {"(", ")"} if depth(text) else {"(", "⊣"}
        return set() => return {"("}
        {"(", ")"} if text.endswith("(") else {"(", "⊣"}
        {"(", END} => {"("}
    """,
    "5.5": """
        2 * (stored + 1)
        2 ** (stored - 1)
        2 ** (stored + 2) - 1
        10**stored
        2**stored
        2 ** (stored + 1) - 1
        2 ** (stored + 1) + 1
        2 ** (stored + 2)
        2 ** (stored + 1) // 2
        2**stored - 1
        stored + 1
        (stored + 1) ** 2
        2.0**-stored
        10 ** (stored + 1)
    """,
}
