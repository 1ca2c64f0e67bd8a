"""Solutions of lecture 10."""

from __future__ import annotations

import torch


def relative_error_reduction(baseline, improved):
    error, left = 100 - baseline, 100 - improved
    return 100 * (error - left) / error


def add_elmo(x, layers, s, gamma):
    shares = torch.softmax(s, dim=0)  # (L + 1,)
    mixed = gamma * (shares[:, None, None] * layers).sum(dim=0)  # (T, 2P)
    return torch.cat([x, mixed], dim=-1)


def neighbour_accuracy(vectors, senses, clauses):
    senses, clauses = torch.tensor(senses), torch.tensor(clauses)
    unit = vectors / vectors.norm(dim=-1, keepdim=True)
    cosine = unit @ unit.T  # (N, N)
    cosine[clauses[:, None] == clauses] = -torch.inf  # a copy is no answer
    return (senses[cosine.argmax(dim=-1)] == senses).double().mean()


def control_labels(words, drawn):
    label = {}
    for word in words:
        if word not in label:
            label[word] = drawn[len(label)]  # for good
    return [label[word] for word in words]


def which_is_fair():
    return {name: "fair" if name == "F" else "unfair" for name in "ABCDEF"}
