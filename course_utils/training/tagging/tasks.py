"""One task, one network, one seed: from the examples to the accuracy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import torch

from course_utils.data.tagging.examples import Example, Task
from course_utils.data.vocabulary import Vocabulary
from course_utils.models.elmo.options import Options
from course_utils.models.quiet import quiet
from course_utils.models.tagging import Coder
from course_utils.models.tagging.build import Network, network_from
from course_utils.settings import UNKNOWN
from course_utils.training.batches import to_device
from course_utils.training.history import History
from course_utils.training.loop import fit
from course_utils.training.losses import Loss
from course_utils.training.tagging.batches import Bucketed, pieces

# of new networks; a stored one brings its own. The layers above the letters are not asked for
SPELLING = Options(32, 1, 1, ((1, 8), (2, 16), (3, 24), (4, 32)), char_dim=12, highways=1)


@dataclass(frozen=True)
class Sizes:
    """A network, and how it is trained."""

    direction: str = "both"
    layers: int = 1
    width: int = 32
    hidden: int = 64
    cell: str = "lstm"
    dropout: float = 0.2
    pooling: str = "attention"  # a classifier's
    spelled: bool = False  # read the letters too
    min_count: int = 2  # rarer words become UNKNOWN, so that it is learned too
    steps: int = 300
    batch: int = 32
    lr: float = 5e-3


class TokenTask(NamedTuple):
    """A task, and what turns its words and labels into numbers."""

    task: Task
    coder: Coder
    words: Vocabulary

    @classmethod
    def of(cls, task: Task, sizes: Sizes) -> TokenTask:
        """Number the words and labels of the training part; all other words are one."""
        words = (word for example in task.train for word in example.words)
        vocabulary = Vocabulary.of(words, min_count=sizes.min_count, special=(UNKNOWN,))
        spelling = SPELLING if sizes.spelled else None
        return cls(task, Coder(vocabulary, task.labels, spelling), vocabulary)


class Taught(NamedTuple):
    """A trained network, the history of its training, and its accuracy on the test part."""

    network: Network
    coder: Coder
    history: History
    accuracy: float


def make_network(known: TokenTask, sizes: Sizes) -> Network:
    """Return an untrained tagger or classifier for a task."""
    coder, kind = known.coder, known.task.kind
    return network_from(asdict(sizes), len(known.words), len(coder.labels), kind, coder.spelling)


def teach(
    task: Task,
    sizes: Sizes = Sizes(),
    seed: int = 0,
    progress: bool = False,
    device: str | None = None,
) -> Taught:
    """Train a new network on a task for a fixed number of steps; evaluate it on the test part.

    Nothing is selected during training; who compares numbers of steps trains once for each. The
    seed decides weights, dropout and the order of the examples.
    """
    torch.manual_seed(seed)
    known = TokenTask.of(task, sizes)
    network = make_network(known, sizes)
    history = fit_network(network, known, sizes, seed, progress, device)
    return Taught(network.eval(), known.coder, history, score(network, known.coder, task))


def fit_network(
    network: Network,
    known: TokenTask,
    sizes: Sizes,
    seed: int = 0,
    progress: bool = False,
    device: str | None = None,
    optimizer: torch.optim.Optimizer | None = None,
    schedule: Callable[[int], float] | None = None,
) -> History:
    """Run the course's loop over the task's training part; the rate falls to zero at the end."""
    falling = schedule or (lambda step: min(1.0, 2 * (1 - step / sizes.steps)))
    return fit(
        network,
        Bucketed(known.task.train, known.coder, known.task.kind, sizes.batch, seed),
        lambda model, batch: Loss(model.loss(batch), len(batch.lengths)),
        steps=sizes.steps,
        optimizer=optimizer or torch.optim.Adam(network.parameters(), lr=sizes.lr),
        schedule=falling,
        progress=progress,
        device=device,
        label=known.task.name,
    )


def score(
    network: Network, coder: Coder, task: Task, examples: Sequence[Example] | None = None
) -> float:
    """Return the share of labels that are right, of all words or of all sentences."""
    device = next(network.parameters()).device
    right = count = 0
    with quiet(network):
        for batch in pieces(task.test if examples is None else examples, coder, task.kind):
            assert batch.labels is not None
            labels = batch.labels
            found = network(to_device(batch, device)).argmax(dim=-1).cpu()
            asked = batch.mask if task.kind == "tagging" else torch.ones_like(labels).bool()
            right += int((found == labels)[asked].sum())
            count += int(asked.sum())
    return right / count
