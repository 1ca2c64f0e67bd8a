"""Two real processes against one, resumed across sizes, and with one of them gone."""

from __future__ import annotations

import os
import signal
import socket
from contextlib import nullcontext

import numpy as np
import pytest
import torch

from course_utils.files import only_writer
from course_utils.models.model_file import read_card
from course_utils.shipped import load_trained
from course_utils.training import (
    CheckpointError,
    StreamLoss,
    fit,
    load_checkpoint,
)
from course_utils.training.parallel.distributed import (
    LostProcess,
    asked_world,
    current_world,
    joined_world,
    share_rows,
    shared,
)
from course_utils.training.parallel.engine import Replicated
from course_utils.training.recipes import run_recipe
from course_utils.training.resume.run_state import FILE, LOCK
from tests.training.training_runs import B, TinyLM, forks, stream_piece

CPU = torch.device("cpu")


def a_run(folder, steps, dropout=0.0, loss=None, seed=0, model=None, **options):
    """Train on this process's rows of the global batch."""
    torch.set_num_threads(1)
    torch.manual_seed(3 + seed)
    model = model or TinyLM(dropout=dropout)
    pieces = options.pop("pieces", stream_piece)
    history = fit(
        model, shared(pieces, dim=1), loss or StreamLoss(), steps=steps, folder=folder,
        optimizer=torch.optim.Adam(model.parameters(), lr=0.01), device="cpu", progress=False,
        **options,
    )  # fmt: skip
    return model, history


def rank_main(rank, size, port, answer, run, *args):
    """Join the others as a process that torchrun started would, and send back what came out."""
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(size), LOCAL_RANK=str(rank),
                      MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))  # fmt: skip
    with joined_world(CPU, minutes=1):
        answer.send((rank, run(rank, *args)))


def on_processes(size: int, run, *args) -> tuple[list, list]:
    """Start processes; return the answers that came, by rank, and all exit codes."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    pipes = [forks().Pipe(duplex=False) for _ in range(size)]
    children = [forks().Process(target=rank_main, args=(rank, size, port, theirs, run, *args))
                for rank, (_, theirs) in enumerate(pipes)]  # fmt: skip
    for child in children:
        child.start()
    for _, theirs in pipes:
        theirs.close()
    answers = {}
    for ours, _ in pipes:
        try:
            rank, answer = ours.recv()
            answers[rank] = answer
        except EOFError:
            pass  # this one died: its exit code says so
    for child in children:
        child.join(60)
    return answers, [child.exitcode for child in children]


def curve(rank, folder, steps, resume, dropout, every):
    """Return the losses, and the weights that every process ends with."""
    judge = (lambda model: float(rank)) if every else None  # processes that disagree
    model, history = a_run(folder, steps, dropout, seed=rank, resume=resume, save_every=5,
                           evaluate=judge, evaluate_every=every or 1)  # fmt: skip
    weights = {name: value.tolist() for name, value in model.state_dict().items()}
    return history.loss.tolist(), weights, history.evaluations.tolist(), history.targets.tolist()


def test_two_processes_draw_the_curve_of_one(tmp_path):
    """Catches: gradients without their counts, rows given twice, processes that start unlike."""
    _, alone = a_run(None, 20)
    answers, codes = on_processes(2, curve, tmp_path, 20, False, 0.0, 10)
    assert codes == [0, 0]
    for losses, weights, evaluations, targets in answers.values():
        np.testing.assert_allclose(losses, alone.loss, atol=1e-5, rtol=0)
        assert weights == answers[0][1], "the processes ended with different weights"
        assert evaluations == [[10, 0], [20, 0]], "each decided for itself"
        assert targets == alone.targets.tolist()
    assert abs(alone.loss[0] - alone.loss[-1]) > 0.05, "nothing was learned: the curve says little"


@pytest.mark.parametrize(("first", "second"), [(2, 1), (1, 2), (2, 4)])
def test_a_run_goes_on_with_another_number_of_processes(tmp_path, first, second):
    """Catches: a carried state saved for one process's rows only."""
    _, alone = a_run(None, 20)
    on_processes(first, curve, tmp_path, 8, False, 0.0, 0)
    answers, codes = on_processes(second, curve, tmp_path, 20, True, 0.0, 0)
    assert codes == [0] * second
    np.testing.assert_allclose(answers[0][0], alone.loss, atol=1e-5, rtol=0)
    assert load_checkpoint(tmp_path / FILE)["loss"]["state"][0].shape[1] == B


@pytest.mark.parametrize("processes", [2, 4])
def test_with_as_many_processes_it_goes_on_exactly(tmp_path, processes):
    """Catches: every process resumed with the first one's random numbers, and buckets that are
    cut anew, so that sums round otherwise."""
    unbroken, _ = on_processes(processes, curve, tmp_path / "a", 12, False, 0.4, 0)
    on_processes(processes, curve, tmp_path / "b", 7, False, 0.4, 0)
    resumed, _ = on_processes(processes, curve, tmp_path / "b", 12, True, 0.4, 0)
    assert len(unbroken) == processes
    assert resumed == unbroken


def drawn_next(rank, folder):
    """Go on with a run; return what this process would draw for its dropout after it."""
    a_run(folder, 8, dropout=0.4, resume=True, save_every=5)
    return torch.rand(3).tolist()


def test_where_processes_are_added_each_draws_its_own_numbers(tmp_path):
    """Catches: the only saved state of random numbers given to all, which drops the same units."""
    a_run(tmp_path, 5, dropout=0.4, save_every=5)
    answers, codes = on_processes(2, drawn_next, tmp_path)
    assert codes == [0, 0]
    assert answers[0] != answers[1]


def ragged_piece(number):
    """Return a piece whose rows have unequal numbers of targets, the last rows none at times."""
    tokens, targets = stream_piece(number)
    targets = targets.clone()
    targets[2 + number % 3 :, 2:] = -100
    targets[:, 2:] = -100 if number % 4 == 1 else targets[:, 2:]
    return tokens, targets


class PartlyUsed(TinyLM):
    """A model with a weight that no loss touches, and one that only some rows need."""

    def __init__(self):
        super().__init__(dropout=0.0)
        self.never = torch.nn.Parameter(torch.ones(3))
        self.at_times = torch.nn.Parameter(torch.ones(11))

    def forward(self, tokens, state=None):
        logits, state = super().forward(tokens, state)
        odd = tokens[:1, :, None] % 2  # (1, B, 1)
        return logits + odd * self.at_times if odd.any() else logits, state


def ragged(rank, accumulate):
    """Return the curve over ragged pieces, and the weights at its end."""
    torch.manual_seed(3)
    model = PartlyUsed()
    _, history = a_run(None, 12, model=model, pieces=ragged_piece, accumulate=accumulate)
    weights = {name: value.tolist() for name, value in model.state_dict().items()}
    return history.loss.tolist(), history.targets.tolist(), weights


@pytest.mark.parametrize("accumulate", [1, 3])
def test_unequal_numbers_of_targets_weigh_as_in_one_process(accumulate):
    """Catches: the mean of the processes' means, NaN from rows without a target, gradients
    exchanged for the first batches only or more than once, and a weight left out of one's loss."""
    alone, targets, weights = ragged(0, accumulate)
    answers, codes = on_processes(2, ragged, accumulate)
    assert codes == [0, 0]
    for losses, counted, found in answers.values():
        np.testing.assert_allclose(losses, alone, atol=1e-5, rtol=0)
        assert counted == targets
        for name, value in weights.items():
            np.testing.assert_allclose(found[name], value, atol=1e-4, rtol=0)


def first_and_last(rank):
    """Return a weight's gradient here after a batch that waits, and after the one that does not."""
    torch.manual_seed(3)
    model = torch.nn.Linear(4, 2, bias=False)
    engine = Replicated(model, CPU)
    found = []
    for now in (False, True):
        with engine.exchanging(now):
            engine.loss(lambda model, x: (model(x) * (rank + 1)).sum(), torch.ones(1, 4)).backward()
        found.append(model.weight.grad.flatten().tolist())
    return found


def test_gradients_travel_once_a_step():
    """Catches: an exchange after every accumulated batch: right in its sum, many times slower."""
    answers, _ = on_processes(2, first_and_last)
    for rank, (waiting, exchanged) in answers.items():
        assert waiting == [rank + 1.0] * 8
        assert exchanged == [2 * (1 + 2) / 2] * 8


class Broken(StreamLoss):
    """Fail in backward, as a mistake in a model does."""

    def __call__(self, model, batch):
        found = super().__call__(model, batch)
        found.mean.register_hook(self.fail)
        return found

    @staticmethod
    def fail(gradient):
        raise RuntimeError("sizes do not match")


def broken(rank):
    try:
        a_run(None, 3, loss=Broken())
    except RuntimeError as error:
        return type(error).__name__, str(error)


def test_a_mistake_of_ones_own_is_not_called_a_lost_process():
    """Catches: every error of backward blamed on the network."""
    answers, _ = on_processes(2, broken)
    assert answers[0] == answers[1] == ("RuntimeError", "sizes do not match")


def start(rank):
    """Return a weight as it is when training begins, who is asked, a random number after it."""
    torch.manual_seed(3)
    model = torch.nn.Linear(1, 1)
    if rank:
        torch.nn.init.zeros_(model.weight)
    engine = Replicated(model, CPU)
    weight, asked = model.weight.item(), engine.ask(lambda model: rank)
    a_run(None, 2, dropout=0.4)  # from one seed
    return weight, asked, torch.rand(1).item()


def test_processes_start_with_one_models_weights_and_draw_different_numbers():
    """Catches: the same dropout on every process, which makes a large batch less than it is, and
    a held-out text that every process reads."""
    answers, _ = on_processes(2, start)
    assert answers[0][0] == answers[1][0] != 0
    assert [answers[rank][1] for rank in (0, 1)] == [0, None]
    assert answers[0][2] != answers[1][2]


def writing(rank, root):
    """Run with a folder of this process's own."""
    a_run(root / str(rank), 4, save_every=2)
    return 0


def test_one_process_writes(tmp_path):
    """Catches: every process writing the checkpoint, over a network as many times as there are."""
    _, codes = on_processes(2, writing, tmp_path)
    assert codes == [0, 0]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["0", FILE]


def refused(rank, folder):
    try:
        a_run(folder, 3)
    except CheckpointError as error:
        return str(error)


def test_all_processes_of_a_second_run_are_told_who_was_first(tmp_path):
    """Catches: a chief that ends alone, and leaves the others waiting for it."""
    with only_writer(tmp_path / LOCK):
        answers, codes = on_processes(2, refused, tmp_path)
    assert codes == [0, 0]
    assert answers[0] == answers[1]
    assert f"is being written by process {os.getpid()} on " in answers[0]


class Dying(StreamLoss):
    """End this process at one step, as a machine does that loses its power."""

    def __init__(self, at: int, number: int):
        super().__init__()
        self.left, self.number = at, number

    def __call__(self, model, batch):
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), self.number)
        return super().__call__(model, batch)


def one_is_signalled(rank, folder, number):
    """Let the last process receive a signal at its seventh step."""
    loss = Dying(7 if rank else 0, number)
    try:
        _, history = a_run(folder, 40, loss=loss, save_every=2)
    except LostProcess as error:
        return f"failed: {error}"
    return history.stopped, len(history)


def test_when_one_dies_the_others_end_and_the_run_can_go_on(tmp_path):
    """Catches: processes that wait for ever, and a checkpoint lost with the one that died."""
    answers, codes = on_processes(2, one_is_signalled, tmp_path, signal.SIGKILL)
    assert codes == [0, -signal.SIGKILL]
    assert answers[0].startswith("failed: another process")
    _, history = a_run(tmp_path, 20, resume=True)
    _, alone = a_run(None, 20)
    np.testing.assert_allclose(history.loss, alone.loss, atol=1e-5, rtol=0)


def test_one_interrupt_stops_all_at_the_same_step(tmp_path):
    """Catches: a process that stops alone, and leaves the others waiting for it."""
    answers, codes = on_processes(2, one_is_signalled, tmp_path, signal.SIGINT)
    assert codes == [0, 0]
    assert answers == {0: ("interrupted", 7), 1: ("interrupted", 7)}
    assert len(load_checkpoint(tmp_path / FILE)["history"]["steps"]["loss"]) == 7


def test_rows_must_divide():
    """Catches: rows that are dropped in silence."""
    from course_utils.training.parallel.distributed import World

    with pytest.raises(ValueError, match="multiple of 3"):
        share_rows(torch.zeros(7, 4), 1, World(0, 3))
    halves = [share_rows((torch.arange(8).view(2, 4),), 1, World(rank, 2))[0] for rank in (0, 1)]
    assert torch.equal(torch.cat(halves, 1), torch.arange(8).view(2, 4))
    nested = shared([{"not": "tensors"}, (torch.zeros(2, 4), "x")], dim=1)
    assert [*nested][1][1] == "x"
    assert next(iter(nested)) == {"not": "tensors"}


SMALL_ELMO = {
    "projection": 8, "cells": 12, "filters": ((1, 4),), "batch": 4, "texts": 1, "words": 90,
    "sample": 20, "steps": 3,
}  # fmt: skip


def small_elmo(rank, folder):
    """Train a recipe whose stored weights are not those that it trains; tell who wrote the card."""
    run_recipe.joined_world = lambda device: nullcontext(current_world())  # joined already
    end = run_recipe.train("course_elmo", folder, "cpu", progress=False, **SMALL_ELMO)
    return end.card is not None


def test_one_process_stores_the_model_of_a_recipe(tmp_path):
    """Catches: a model written by every process, and one stored with its training's scaffolding."""
    answers, codes = on_processes(2, small_elmo, tmp_path)
    assert codes == [0, 0]
    assert answers == {0: True, 1: False}
    model = load_trained("course_elmo", tmp_path)
    assert read_card("course_elmo", tmp_path)["parameters"] == sum(
        p.numel() for p in model.parameters()
    )


@pytest.mark.parametrize(("rank", "size"), [("x", "2"), ("0", "0"), ("2", "2"), ("-1", "1")])
def test_a_process_that_torchrun_cannot_have_started_is_told_so(monkeypatch, rank, size):
    """Catches: int()'s own words, and one of no processes that waits for the others."""
    monkeypatch.setenv("RANK", rank)
    monkeypatch.setenv("WORLD_SIZE", size)
    with pytest.raises(
        ValueError, match=f"RANK={rank} and WORLD_SIZE={size} do not come from torchrun"
    ):
        asked_world()
