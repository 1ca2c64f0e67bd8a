"""Lectures 06 to 10: agreement, characters, tagging, ELMo and what it is used for."""

from __future__ import annotations


def split(names, held):
    return [n for n in names if n not in held], [n for n in names if n in held]


def every(sentences, word):
    return [(s, k) for s in sentences for k, token in enumerate(s) if token == word]


WRONG = {
    "6.1": """
        verb[a], verb[1 - a] => *verb
        for number in condition => for number in condition[::-1]
        the {subject[a]} near the => {subject[a]} near
        (beginning, verb[a], verb[1 - a]) => f"{beginning} {verb[a]}"
        verb[a], verb[1 - a] => verb[b], verb[1 - b]
        verb[a], verb[1 - a] => verb[1 - a], verb[a]
        ("SS", "SP", "PS", "PP") => ("SS", "PP")
        ("SS", "SP", "PS", "PP") => ("SP", "PS")
        {subject[a]} near the {attractor[b]} => {attractor[b]} near the {subject[a]}
        the {subject[a]} near the => a {subject[a]} near a
        verb[a], verb[1 - a] => verb[1 - b], verb[b]
    """,
    "6.2": """
        [n for => [(subject, verb) for
        [n for => len([n for && in seen] => in seen])
        [(base[s], base[v]) in {(base[a], base[b]) for a, b in train} for s, v in test]
        in seen] => in train]
        [n for n, pair in enumerate(test) if pair in train]
        [n for n, (s, _) in enumerate(test) if s in {a for a, _ in train}]
        (base[subject], base[verb]) in seen =>
            base[subject] in {s for s, _ in seen} and base[verb] in {v for _, v in seen}
        (base[subject], base[verb]) in seen =>
            base[subject] in {s for s, _ in seen} or base[verb] in {v for _, v in seen}
        in seen] => not in seen]
        [n for => [n + 1 for
        (base[subject], base[verb]) in seen => base[verb] in {v for _, v in seen}
        find_leaks(test, train, base)
        (base[subject], base[verb]) in seen => base[subject] in {s for s, _ in seen}
    """,
    "6.3": """
        return exchanged => return [*words]
        return exchanged => return [*words][::-1]
        "P" if number == "S" else "S" => number
        [*words], number
        return exchanged => return sorted(words)
        return exchanged => return [*words[3:5], words[2], *words[:2]]
        words[0], words[4], *words[2:4] => *words[:4]
        *words[2:4], words[1], *words[5:] => *words[2:]
        [words[0], words[1][:-1] if number == "P" else words[1] + "s", *words[2:]],
            "P" if number == "S" else "S"
    """,
    "6.4": """
        (m > 0) + 0.5 * (m == 0) => (m > 0) - (m < 0)
        (m > 0) + 0.5 * (m == 0) => m > 0
        (m > 0) + 0.5 * (m == 0) => m >= 0
        (m > 0) + 0.5 * (m == 0) => m < 0
        / len(own) => / len(margins)
        / len(own) =>
        (m > 0) + 0.5 * (m == 0) => m
        if c == name =>
        (m > 0) + 0.5 * (m == 0) => m > 0.5
    """,
    "6.5": """
        others.median() => report.median()
        torch.cat([report[:unit], report[unit + 1 :]]) => choose.sort().values[:-1]
        choose.argmax() => (choose + report).argmax()
        choose.argmax() => report.argmax()
        "drop": report => "drop": choose
        others.median() => report.quantile(0.5)
        others.median() => others.mean()
        argmax => argmin
        choose.argmax() => report.argmax() && others.median() => report.quantile(0.5)
        others.median() => others.max()
        others.median() => report.mean()
    """,
    "6.6": """
        plural, unit] - W[singular, unit] => plural] - W[singular]
        (W[plural, unit] - W[singular, unit]).mean() => (W[plural[0], unit] - W[singular[0], unit])
        h[unit] * =>
        W[plural, unit] - W[singular, unit] => W[singular, unit] - W[plural, unit]
        .mean() => .sum()
        ((W[plural] - W[singular]) @ h).mean()
        - W[singular, unit] =>
        - W => + W
        (h[unit] * (W[plural, unit] - W[singular, unit])).abs().mean()
        (W[singular, unit] - W[plural, unit]).mean()
        W[plural, unit] - =>
    """,
    "7.1": """
        split(names, names[-round(share * len(names)) :])
        split(names, names[: round(share * len(names))])
        split(names, sorted(names)[-round(share * len(names)) :])
        , reverse=True =>
        sum(package[name] in held for name in names) / len(names) >= share =>
            len(held) >= round(share * len({*package.values()}))
        split(names, names[:: round(1 / share)])
    """,
    "7.2": """
        text.count(context + sign) / (text.count(context) or 1)
        (text.count(context + sign) + alpha) / ((text.count(context) + alpha) or 1)
        (text.count(context + sign) + alpha) / (text.count(context) or 1)
        (text.count(context + sign) + alpha) / ((text.count(context) + V * alpha) or 1)
        (text.count(context + sign) + alpha) / ((text.count(context) + len({*text}) * alpha) or 1)
        text.count(context + sign) / ((text.count(context) + V * alpha) or 1)
        (text.count(context + sign) + alpha) / (len(text) + V * alpha)
    """,
    "7.3": """
        logits / temperature => logits * temperature
        (logits / temperature) => logits
        (logits / temperature).softmax(dim=0) => logits.softmax(dim=0) / temperature
            && min(below, len(p) - 1) => below
        min(below, len(p) - 1) => int(p.argmax())
        logits / temperature => logits.softmax(dim=0) / temperature
        p.cumsum(0) => p.sort(descending=True).values.cumsum(0)
        min(below, len(p) - 1) => below + 1
    """,
    "7.4": """
        _areas(choose, choose_marks => _areas(report, report_marks
        _areas(report, report_marks => _areas(choose, choose_marks
        (chosen - 0.5).abs().argmax() => chosen.argmax()
            && if chosen[unit] >= 0.5 else 1 - shown[unit] =>
        max(score for _, score in luck) => sum(score for _, score in luck) / len(luck)
        max(score for _, score in luck) =>
            max(float(_areas(report, report_marks.roll(by))[unit]) for by in shifts)
        max(score => min(score
    """,
    "7.5": """
        set(valid.tolist()) => set(test.tolist())
            && right(valid, valid_marks, t) => right(test, test_marks, t)
        right(test, test_marks, best) => right(valid, valid_marks, best)
        sorted(set(valid.tolist())) => [0.0]
        sorted(set(valid.tolist())) =>
            [((valid[valid_marks].mean() + valid[~valid_marks].mean()) / 2).item()]
        sorted(set(valid.tolist())) => [valid.mean().item()]
        set(valid.tolist()) => set(valid.tolist()), reverse=True
    """,
    "7.6": """
        right(choose, choose_marks, => right(report, report_marks,
            && right(fresh_choose, choose_marks, => right(fresh_report, report_marks,
        right(choose, choose_marks, report, report_marks) =>
            right(choose, choose_marks, choose, choose_marks)
        control = right(fresh_choose, choose_marks, fresh_report, report_marks) =>
            control = 0.5
        >= 0.5 => >= 0
        >= 0.5 => > 0
        _with_ones(cells) => _with_ones(cells, 0)
            && _with_ones(new_cells) => _with_ones(new_cells, 0)
        probe - control => control - probe
        right(fresh_choose, choose_marks, => right(choose, choose_marks,
        (said == new_marks).double().mean() => said[new_marks].double().mean()
        (said == new_marks).double().mean() => said.double().mean()
    """,
    "7.7": """
        t >= since => t > since
        t >= since => t == since
        t >= since => t < since
        c[cell] = value => c[cell] += value
        c[cell] = value => c = 0 * c + value
        c[cell] = value => h[cell] = value
        c[cell] = value => i[cell] = value
        c[cell] = value => c[cell] = 0
        i, f, g, o = (W => f, i, g, o = (W
        i, f, g, o = (W => i, f, o, g = (W
        return h => return c
        g.tanh() => g.sigmoid()
    """,
    "7.9": """
        model(torch.tensor([number.get(sign, 0) for sign in text]))
        model(torch.tensor([number.get(sign, 0) for sign in text])[:, None])
        in text => in text[::-1]
        number.get(sign, 0) for sign in text => number[sign] for sign in text if sign in number
    """,
    "8.1": """
        x.flip(1)
        torch.flip(x, [-1])
        x.flip(0)
        x
        row[:n].flip(0), row[n:] => row[n:].flip(0), row[:n].flip(0)
        row[:n].flip(0), row[n:] => row[: n - 1].flip(0), row[n - 1 :]
        np.asarray(x)[:, ::-1].copy()
        torch.stack([row[: max(lengths)].flip(0) for row in x])
    """,
    "8.4": """
        (h * words[..., None]).sum(dim=1) / lengths[:, None] => h.mean(1)
        .sum(dim=1) / lengths[:, None] => .mean(dim=1)
        h.masked_fill(~words[..., None], -torch.inf) => (h * words[..., None])
        h.masked_fill(~words[..., None], -torch.inf) => h
        scores.masked_fill(~words, -torch.inf) => scores
        scores.masked_fill(~words, -torch.inf).softmax(dim=1) => scores.softmax(dim=1) * words
        scores.masked_fill(~words, -torch.inf) => (scores * words)
        (h * words[..., None]).sum(dim=1) / lengths[:, None] => h.mean(1)
            && h.masked_fill(~words[..., None], -torch.inf) => h
            && scores.masked_fill(~words, -torch.inf) => scores
    """,
    "8.2": """
        reversed(backward) => backward
        x.flip(0) => x && reversed(backward) => backward
        x.flip(0) => x
        torch.cat(pair) => sum(pair)
        forward, reversed(backward) => reversed(backward), forward
        k = h_0 => k = h
        k = back(x_t, k) => k = ahead(x_t, k)
    """,
    "8.3": """
        losses.mean()
        losses[real].mean() => (losses * real).mean()
        losses[real].mean() => ((losses * real).sum(1) / lengths).mean()
        losses[real].mean() => (losses * real).sum() / len(losses)
        losses[real].mean() => losses[real].sum()
        losses.sum() / lengths.sum()
    """,
    "8.6": """
        language_model.get(name, own) => own
        rates[name] * => max(rates.values()) *
        rates[name] * => rates["readout"] *
        w - rates => w + rates
        (w - rates[name] * _slope(w)) => w
        in classifier.items() => in (classifier | language_model).items()
        (w - rates[name] * _slope(w)) => (w - _slope(w))
        language_model.get(name, own) => own if name != "embedding" else language_model[name]
    """,
    "9.1": """
        ahead[:-1], tokens[1:] => ahead, tokens && back[1:], tokens[:-1] => back, tokens
        back[1:], tokens[:-1] => back[:-1], tokens[1:]
        ahead[:-1], tokens[1:] => ahead[1:], tokens[:-1]
        back[1:], tokens[:-1] => back, tokens
        return forward + backward => return forward
        return forward + backward => return (forward + backward) / 2
        return forward + backward => return -(forward + backward)
        ahead[:-1], => ahead[:-1].softmax(-1), && back[1:], => back[1:].softmax(-1),
        cross_entropy(ahead[:-1], tokens[1:]) + cross_entropy(back.flip(0)[:-1], tokens[1:])
    """,
    "9.2": """
        g * t + (1 - g) * x => g * x + (1 - g) * t
        (1 - g) * x => x
        + (1 - g) * x =>
        torch.relu( => (
        torch.relu => torch.tanh
        t = torch.relu => t = torch.sigmoid
        g * t => t
        (1 - g) * x => (1 - t) * x
        W_g.T => W_g && W_t.T => W_t
    """,
    "9.3": """
        triu(1) => triu() && tril(-1) => tril()
        if direction == "forward" else sight.tril(-1) =>
        enumerate(far) => enumerate(far.T)
        row != 0 => row > 0.01
        [k for => [k + 1 for
        == "forward" => != "forward"
        tril(-1) => tril(-1).triu(-1) && triu(1) => triu(1).tril(1)
        [k for k in range(len(sight)) if sight[k].sum() > 0]
    """,
    "9.4": """
        1
        L + 1
        len(every(sentences, word))
        L * len(uses) + bool(uses) => len(uses)
        (L + 1) * len(every(sentences, word))
        L * len(uses) + bool(uses) => (L + 1) * len(uses)
        L * len(uses) + bool(uses) => L * len(uses)
        L * len(uses) + bool(uses) => (2 * L + 1) * len(uses)
        L * len(uses) => 2 * L * len(uses)
        bool(every(sentences, word)) + L * len(every(sentences, word))
    """,
    "9.5": """
        torch.softmax(w, dim=0) => w
        gamma * =>
        gamma * layers.mean(0)
        dims=1) => dims=1) / len(layers)
        torch.softmax(w, dim=0) => w / w.sum()
        gamma * => gamma +
        gamma * => && softmax(w => softmax(gamma * w
        gamma * layers[-1]
        gamma * torch.softmax(torch.tensordot(w, layers, dims=1), -1)
    """,
    "9.6": """
        2 * L * lstm => L * lstm
        H * 2 * => H *
        + C * P =>
        (P + P + 1) => (P + P + 2)
        261 => 256
        + projection =>
        (P + P + 1) => (P + C + 1)
        261 => 262
        (P + P + 1) => (P + P)
        width * D + 1 => width * D && F * F + F => F * F
        + C * P => + C * P + P
    """,
    "10.1": """
        (100 - baseline) => baseline
        improved - baseline
        100 * ( => (
        (100 - baseline) => improved
        (100 - baseline) => (100 - improved)
        (improved - baseline) => (100 - improved)
        improved - baseline => baseline - improved
        100 * (1 - baseline / improved)
        (improved - baseline) / baseline
        abs(relative_error_reduction(baseline, improved))
    """,
    "10.2": """
        torch.softmax(s, dim=0) => s
        torch.softmax(s, dim=0) => s / s.sum()
        torch.softmax(s, dim=0) => torch.ones_like(s)
        torch.softmax(s, dim=0) => torch.ones_like(s) / len(s)
        torch.softmax(s, dim=0) => torch.sigmoid(s)
        [x, mixed] => [mixed, x]
        [x, mixed] => [x, mixed / gamma]
        [x, mixed] => [gamma * x, mixed]
        [x, mixed] => [x, gamma * layers[-1]]
        torch.cat([x, mixed], dim=-1) => mixed
        torch.softmax => torch.log_softmax
    """,
    "10.5": """
        .masked_fill(where[:, None] == where, -torch.inf) =>
        where[:, None] == where => torch.eye(len(where)).bool()
        unit @ unit.T => vectors @ vectors.T
        unit @ unit.T => -torch.cdist(vectors, vectors)
        -torch.inf => torch.inf && argmax => argmin
        unit @ unit.T => vectors @ vectors.T
            && where[:, None] == where => torch.eye(len(where)).bool()
        unit @ unit.T => -torch.cdist(vectors, vectors)
            && where[:, None] == where => torch.eye(len(where)).bool()
        return ( => return 100 * (
        unit @ unit.T => torch.cdist(vectors, vectors)
    """,
    "10.6": """
        (W, w, gamma)] => (W, w, gamma, layers)]
            && W, w, gamma = learned => W, w, gamma, layers = learned
        for each in learned: => for each in learned[:1]:
        for each in learned: => for each in learned[:2]:
        each.grad = None => pass
        each.data -= rate => each.data += rate
        torch.softmax(w, dim=0), layers => w, layers
        torch.softmax(w, dim=0), layers => torch.sigmoid(w), layers
        [x, mixed] => [mixed, x]
        W.T, tags) => W.T, tags, reduction="sum")
        range(steps) => range(steps - 1)
        torch.softmax(w, dim=0).detach() => w.detach()
        loss().backward() => (last := loss()).backward()
            && return loss().item() => return last.item()
        for each in learned: => for each in learned[1:]:
        gamma * torch.tensordot => 0 * gamma + torch.tensordot
    """,
    "10.7": """
        h[known:] @ => h[:known] @ && labels[known:]) => labels[:known])
        h[:known] @ W.T, labels[:known]) => h @ W.T, labels)
        h[known:] @ => h @ && labels[known:]) => labels)
        return right[0] - right[1] => return right[0]
        return right[0] - right[1] => return right[1] - right[0]
        return right[0] - right[1] => return right[0] / right[1]
        return right[0] - right[1] => return 100 * (right[0] - right[1])
        labels[:known]) => tags[:known])
        W - rate * slope => W + rate * slope
        .double().mean() => .double().sum()
        range(steps) => range(steps - 1)
        range(steps) => range(1, steps)
        labels[:known]) => labels[:known], reduction="sum")
    """,
    "10.4": """
        [*drawn][: len(words)]
        [drawn[0]] * len(words)
        [drawn[[x.lower() for x in dict.fromkeys(words)].index(word.lower())] for word in words]
        [drawn[sorted({*words}).index(word)] for word in words]
        [drawn[words.index(word)] for word in words]
        [[*dict.fromkeys(words)].index(word) for word in words]
        [*drawn][: len({*words})]
        [drawn[len(word) % len(drawn)] for word in words]
        [0] * len(words)
        [drawn[len(words) - 1 - [*words][::-1].index(word)] for word in words]
    """,
}
