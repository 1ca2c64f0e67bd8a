"""Solutions of lecture 01."""

from __future__ import annotations

import torch


def bigram_probability(tokens, before, word, V, k):
    pairs = [(tokens[i], tokens[i + 1]) for i in range(len(tokens) - 1)]
    contexts = tokens[:-1].count(before)  # nothing follows the last word
    return (pairs.count((before, word)) + k) / (contexts + k * V)


def perplexity(log_probs):
    return torch.exp(-log_probs.mean())


def embed_both_ways(table, ids, upstream):
    rows = table[ids]
    gradient = torch.zeros_like(table).index_add(0, ids, upstream)
    return rows, gradient


def gradient_of_scores(scores, target):
    gradient = torch.softmax(scores, dim=0)  # p
    gradient[target] -= 1  # minus y
    return gradient


def next_state(x_t, h_before, W, U, b):
    return torch.tanh(W @ x_t + U @ h_before + b)


def gradient_of_U(h, U, from_losses):
    total = torch.zeros_like(U)
    back = torch.zeros_like(h[0])  # what later losses say of the state
    for t in range(len(from_losses), 0, -1):
        d_a = (from_losses[t - 1] + back) * (1 - h[t] ** 2)
        total = total + torch.outer(d_a, h[t - 1])
        back = U.T @ d_a
    return total


def find_the_detach():
    # h comes over from the piece before, with all that made it
    return {"line": 3, "without": 60, "with": 20}


def find_the_leaks():
    return {"A": False, "B": True, "C": True, "D": True, "E": False}


def tell_apart():
    return {
        "5-gram": False,  # it looks at four words
        "6-gram": True,
        "window of 4": False,
        "Elman": True,
        "Elman, pieces of 2": True,  # pieces cut the gradient, not the state
        "Elman, reset": False,
    }


def sgns_step(E, C, centre, near, far, rate):
    E, C = (table.clone().requires_grad_() for table in (E, C))
    x, y, z = E[centre], C[near], C[far]
    log_sigmoid = torch.nn.functional.logsigmoid
    J = -(log_sigmoid((x * y).sum(1)) + log_sigmoid(-(x * z).sum(1))).mean()
    d_E, d_C = torch.autograd.grad(J, (E, C))  # adds up what a row gets
    return (E - rate * d_E).detach(), (C - rate * d_C).detach()


def window_scores(tokens, E, W, b, O, c, n):
    x = E[tokens]  # (T, D)
    side_by_side = torch.cat([x[k : len(x) - n + 1 + k] for k in range(n)], dim=1)
    return torch.tanh(side_by_side @ W.T + b) @ O.T + c


def write_on(W, U, O, word, k, share, stop, points):
    h, said = torch.zeros(len(U), dtype=W.dtype), []
    for point in points:
        h = torch.tanh(W[word] + U @ h)
        scores, words = (O @ h).topk(k)
        p = torch.softmax(scores, dim=0)  # the k likeliest share all probability
        inside = p.cumsum(0) - p < share  # what stands before each of them has not yet enough
        ends = (p[inside] / p[inside].sum()).cumsum(0)
        word = int(words[min(int((ends <= point).sum()), len(ends) - 1)])
        if word == stop:
            break
        said.append(word)
    return said
