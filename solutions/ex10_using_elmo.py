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


def train_with_elmo(x, layers, tags, W, w, gamma, steps, rate):
    learned = [start.clone().requires_grad_() for start in (W, w, gamma)]
    W, w, gamma = learned
    for step in range(steps + 1):
        mixed = gamma * (torch.softmax(w, 0)[:, None, None] * layers).sum(0)
        scores = torch.cat([x, mixed], dim=1) @ W.T  # (T, K)
        loss = torch.nn.functional.cross_entropy(scores, tags)
        if step < steps:
            slopes = torch.autograd.grad(loss, learned)
            for each, slope in zip(learned, slopes, strict=True):
                each.data -= rate * slope  # the layers stay: the biLM is frozen
    return loss.item(), torch.softmax(w, 0).detach(), gamma.item()


def probe_selectivity(h, tags, control, known, steps, rate):
    right = []
    for labels in (tags, control):  # a probe for each
        W = torch.zeros(int(labels.max()) + 1, h.shape[1], dtype=h.dtype)
        for _ in range(steps):
            W.requires_grad_()
            scores = h[:known] @ W.T
            loss = torch.nn.functional.cross_entropy(scores, labels[:known])
            W = (W - rate * torch.autograd.grad(loss, W)[0]).detach()
        found = (h[known:] @ W.T).argmax(dim=1)
        right.append((found == labels[known:]).double().mean().item())
    return right[0] - right[1]
