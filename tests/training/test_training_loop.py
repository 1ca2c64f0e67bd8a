"""The loop against one written by hand, and everything that can end it."""

from __future__ import annotations

import copy
import math
import signal

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss

from course_utils.settings import seed_everything
from course_utils.training import (
    Diverged,
    Loss,
    StreamLoss,
    fit,
    load_checkpoint,
    mean_stream_loss,
    warmup_cosine,
)
from course_utils.training.parallel.engine import Engine
from course_utils.training.resume.run_state import FILE
from tests.training.training_runs import B, Shuffled, T, TinyLM, drawn_piece, stream_piece, tiny_run

QUIET = {"device": "cpu", "progress": False}


def test_fit_is_the_loop_one_would_write_by_hand():
    """Catches: a missing zero_grad, no clipping or one after the step, state not carried."""
    ours, history = tiny_run(steps=12, clip=0.1, schedule=warmup_cosine(12, warmup=3))
    seed_everything(3)
    model, state, losses, norms = TinyLM(), None, [], []
    optimizer = torch.optim.Adam(model.parameters())
    rate = torch.optim.lr_scheduler.LambdaLR(optimizer, warmup_cosine(12, warmup=3))
    passes = iter(Shuffled())
    for _ in range(12):
        piece = next(passes, None)
        if piece is None:
            passes = iter(Shuffled())
            piece = next(passes)
        optimizer.zero_grad()
        logits, state = model(piece[0], state)
        state = tuple(part.detach() for part in state)
        loss = cross_entropy(logits.flatten(0, 1), piece[1].flatten())
        loss.backward()
        norms.append(nn.utils.clip_grad_norm_(model.parameters(), 0.1).item())
        optimizer.step()
        rate.step()
        losses.append(loss.item())
    assert history.loss.tolist() == losses
    assert history.grad_norm.tolist() == norms
    assert min(norms) > 0.1, "nothing was clipped"
    for name, value in model.state_dict().items():
        assert torch.equal(value, ours.state_dict()[name]), name


def test_accumulated_unequal_batches_give_the_gradient_of_the_whole(float64):
    """Catches: averaging the means of batches with different numbers of targets."""
    x, y = torch.randn(18, 5), torch.randn(18, 3)
    cuts = [slice(0, 7), slice(7, 10), slice(10, 18)]
    whole, parts = nn.Linear(5, 3), nn.Linear(5, 3)
    parts.load_state_dict(whole.state_dict())

    def loss(model, batch):
        return Loss(mse_loss(model(batch[0]), batch[1]), batch[1].numel())

    one = fit(whole, [(x, y)], loss, steps=4, **QUIET)
    three = fit(parts, [(x[c], y[c]) for c in cuts], loss, steps=4, accumulate=3, **QUIET)
    np.testing.assert_allclose(three.loss, one.loss, rtol=1e-12)
    np.testing.assert_allclose(three.grad_norm, one.grad_norm, rtol=1e-12)
    torch.testing.assert_close(parts.weight, whole.weight, rtol=1e-12, atol=1e-14)
    assert three.targets.tolist() == [54.0] * 4


def test_only_the_last_of_accumulated_batches_exchanges_gradients():
    """Catches: as many exchanges as batches, whose sum is right and whose price is not."""
    seen = []

    class Watched(Engine):
        def exchanging(self, now):
            seen.append(now)
            return super().exchanging(now)

    engine = Watched(TinyLM(), torch.device("cpu"))
    fit(engine, stream_piece, StreamLoss(), steps=2, accumulate=3, **QUIET)
    assert seen == [False, False, True] * 2


@pytest.mark.parametrize(
    "batches", [Shuffled(), stream_piece, drawn_piece, [stream_piece(n) for n in range(3)]]
)
@pytest.mark.parametrize("stop", [1, 5, 9])
def test_resumed_is_identical_for_every_kind_of_batches(tmp_path, batches, stop):
    """Catches: a pass that begins anew after a resumption, best weights that are forgotten."""

    def judge(model):
        return mean_stream_loss(model, [stream_piece(90)])

    options = {"batches": batches, "evaluate": judge, "evaluate_every": 2, "accumulate": 2}
    options["schedule"] = warmup_cosine(13, warmup=2)
    _, unbroken = tiny_run(steps=13, **options)
    tiny_run(tmp_path, steps=stop, **options)
    _, history = tiny_run(tmp_path, steps=13, resume=True, **options)
    assert history.loss.tolist() == unbroken.loss.tolist()
    if stop % 2 == 0 or stop == 13:  # a run that ends is judged once more
        assert history.evaluations.tolist() == unbroken.evaluations.tolist()
    last = load_checkpoint(tmp_path / FILE)["model"]
    again, _ = tiny_run(steps=13, **{**options, "evaluate": None})
    for name, value in again.state_dict().items():
        assert torch.equal(value, last[name]), name


class Interrupting(StreamLoss):
    """Send this process the signal of the stop button in the middle of one step."""

    def __init__(self, at: int):
        super().__init__()
        self.left = at

    def __call__(self, model, batch):
        self.left -= 1
        if self.left == 0:
            signal.raise_signal(signal.SIGINT)
        return super().__call__(model, batch)


def test_interrupt_ends_with_the_best_weights_and_a_run_that_goes_on(tmp_path):
    """Catches: an exception out of the middle of a step, and a checkpoint of the best weights."""
    values = iter([3.0, 1.0, 2.0, 2.0, 2.0, 2.0])
    kept = []

    def judge(model):
        kept.append(copy.deepcopy(model.state_dict()))
        return next(values)

    before = signal.getsignal(signal.SIGINT)
    model, history = tiny_run(
        tmp_path, steps=50, loss=Interrupting(at=7), evaluate=judge, evaluate_every=2
    )
    assert signal.getsignal(signal.SIGINT) is before
    assert history.stopped == "interrupted"
    assert len(history) == 7
    assert (history.best, history.best_step) == (1.0, 4)
    for name, value in model.state_dict().items():
        assert torch.equal(value, kept[1][name]), "these are not the best weights"
    model, history = tiny_run(
        tmp_path, steps=20, resume=True, evaluate=lambda model: 2.0, evaluate_every=10
    )
    assert (history.best, history.best_step) == (1.0, 4)
    assert torch.equal(model.out.bias, kept[1]["out.bias"]), "the earlier best is forgotten"
    whole, unbroken = tiny_run(steps=20)
    assert history.loss.tolist() == unbroken.loss.tolist()
    assert torch.equal(load_checkpoint(tmp_path / FILE)["model"]["out.bias"], whole.out.bias)


def test_a_second_interrupt_is_obeyed_at_once():
    """Catches: a run that cannot be stopped when a batch hangs."""

    def hanging(number):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        fit(TinyLM(), hanging, StreamLoss(), steps=3, **QUIET)


def test_early_stop_waits_for_the_patience_it_was_given():
    """Catches: counting steps for evaluations, or not resetting the count at an improvement."""
    values = iter([5.0, 4.0, 4.0, 3.0, 3.5, math.nan, 3.0, 0.0])
    _, history = tiny_run(
        steps=99, evaluate=lambda model: next(values), evaluate_every=3, patience=3
    )
    assert history.stopped == "no longer improving"
    assert len(history) == 21
    assert history.best == 3.0
    assert history.evaluations[:, 0].tolist() == [3, 6, 9, 12, 15, 18, 21]


@pytest.mark.parametrize("poison", ["loss", "gradient"])
def test_nan_stops_with_the_step_the_norm_and_what_to_try(tmp_path, poison):
    """Catches: stepping on a NaN, which would spoil every weight and the checkpoint."""
    model = nn.Linear(5, 3)
    seen = []

    def loss(model, x):
        seen.append(copy.deepcopy(model.state_dict()))
        y = model(x).square().mean()
        if len(seen) < 4:
            return y
        return y * math.nan if poison == "loss" else y + (0 * y).sqrt() * (y > 0)

    with pytest.raises(Diverged, match=r"step 4 gave .* gradient norm nan.*Try a learning rate"):
        fit(
            model, lambda n: torch.ones(7, 5), loss, steps=9, folder=tmp_path, save_every=1, **QUIET
        )
    assert torch.equal(model.weight, seen[3]["weight"])
    assert torch.equal(load_checkpoint(tmp_path / FILE)["model"]["weight"], model.weight)


def test_bfloat16_is_used_where_it_is_asked_for():
    """Catches: autocast around the backward pass only, or not at all."""
    kinds = []

    def loss(model, x):
        y = model(x)
        kinds.append(y.dtype)
        return y.float().square().mean()

    for bf16 in (True, False, None):
        fit(nn.Linear(5, 3), [torch.ones(7, 5)], loss, steps=1, bf16=bf16, **QUIET)
    assert kinds == [torch.bfloat16, torch.float32, torch.float32]


def test_the_bar_says_loss_speed_and_why_it_ended(capfd):
    """Catches: a bar that is never drawn because the run was short."""
    tiny_run(steps=5, progress=True, label="lecture 07")
    shown = capfd.readouterr().err
    for part in ("lecture 07", "5/5", "loss 2.", "targets/s", "finished"):
        assert part in shown


def test_history_counts_what_was_learned_from():
    """Catches: a speed in batches called one in tokens."""
    _, history = tiny_run(steps=5)
    assert history.targets.tolist() == [T * B] * 5
    assert len(history) == 5
    assert history.evaluations.shape == (0, 2)
    with pytest.raises(AttributeError, match="not 'accuracy'"):
        _ = history.accuracy


@pytest.mark.parametrize(
    ("wrong", "answer"),
    [
        ({"steps": 0}, "steps must be a whole number of at least 1"),
        ({"accumulate": 1.5}, "accumulate must be"),
        ({"patience": 0}, "patience must be"),
        ({"resume": True}, "needs the folder"),
        ({"device": "abacus"}, "no device is called"),
        ({"batches": 7}, "not int"),
        ({"batches": []}, "ran out"),
        ({"batches": (p for p in [stream_piece(1)])}, "not a generator"),
    ],
)
def test_wrong_arguments_are_answered_before_anything_is_trained(wrong, answer):
    """Catches: an error from deep inside that does not say what to pass."""
    options = {"steps": 3, "batches": stream_piece, **QUIET, **wrong}
    with pytest.raises((ValueError, TypeError), match=answer):
        fit(TinyLM(), options.pop("batches"), StreamLoss(), **options)


def test_warmup_cosine_rises_falls_and_stays():
    """Catches: a first step with rate zero, and a rate that rises again after the end."""
    factor = warmup_cosine(11, warmup=3, floor=0.1)
    assert [factor(s) for s in (0, 1, 2, 3)] == pytest.approx([1 / 3, 2 / 3, 1, 1])
    assert factor(7) == pytest.approx(0.1 + 0.9 * 0.5)
    assert factor(11) == factor(50) == pytest.approx(0.1)
    with pytest.raises(ValueError, match="below steps"):
        warmup_cosine(5, warmup=5)


def test_padding_does_not_count_as_targets():
    """Catches: the padded end of a stream's lanes weighing as much as real targets."""
    tokens, targets = stream_piece(1)
    targets = targets.clone()
    targets[-2:, 1:] = -100
    model = TinyLM(dropout=0.0)
    found = StreamLoss()(model, (tokens, targets))
    assert found.targets == T * B - 2 * (B - 1)
    logits, _ = model(tokens)
    kept = targets != -100
    torch.testing.assert_close(found.mean, cross_entropy(logits[kept], targets[kept]))
    pieces = [stream_piece(1), (tokens[:3], targets[:3])]
    assert math.isfinite(mean_stream_loss(model, pieces))
