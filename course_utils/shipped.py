"""Load trained models, the course's and your own, without the code that trained them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from torch import nn

from course_utils.data.vocabulary import Vocabulary
from course_utils.models.elmo.language import BiLanguageModel, Dropout
from course_utils.models.elmo.options import Options
from course_utils.models.language.recurrent import RecurrentLM
from course_utils.models.language.window import WindowLM
from course_utils.models.model_file import ModelFileError, put_in, read_model
from course_utils.models.tagging import Classifier, Coder, Tagger
from course_utils.models.tagging.build import Network, network_from

Sizes = Mapping[str, Any]  # a card's config
Kept = Mapping[str, Any]  # what is stored with the weights


def load_trained(name: str, folder: str | Path | None = None) -> nn.Module:
    """Return a trained model in eval mode; without a folder, one that comes with the course."""
    found = read_model(name, folder)
    try:
        model = build_model(found.card["kind"], found.card["config"], found.keep)
    except KeyError as error:
        raise ModelFileError(f"the card of {found.path} does not say what {error} is") from error
    except ModelFileError:
        raise
    except (TypeError, ValueError, AttributeError, RuntimeError) as error:
        raise ModelFileError(
            f"no model can be built as the card of {found.path} describes it: {error}"
        ) from error
    put_in(model, found)
    return model.eval()


def load_recurrent_lm(name: str, folder: str | Path | None = None) -> RecurrentLM:
    """Return a trained recurrent language model; any other kind is refused."""
    model = load_trained(name, folder)
    if not isinstance(model, RecurrentLM):
        raise ModelFileError(f"{name} is a {type(model).__name__}, not a recurrent language model")
    return model


def load_token_network(name: str, folder: str | Path | None = None) -> Network:
    """Return a trained tagger or classifier with its coder; any other kind is refused."""
    model = load_trained(name, folder)
    if not isinstance(model, Tagger | Classifier):
        raise ModelFileError(f"{name} is a {type(model).__name__}, not a tagger or classifier")
    return model


def build_model(kind: str, sizes: Sizes, keep: Kept) -> nn.Module:
    """Return the bare model that a card describes."""
    if not isinstance(kind, str) or kind not in KINDS_OF_MODELS:
        raise ModelFileError(
            f"no kind of model is called {kind!r}: there are {', '.join(KINDS_OF_MODELS)}"
        )
    return KINDS_OF_MODELS[kind](sizes, keep)


def _recurrent_lm(sizes: Sizes, keep: Kept) -> RecurrentLM:
    names = ("cell", "width", "hidden", "layers", "dropout", "tied")
    model = RecurrentLM(keep["V"], **{name: sizes[name] for name in names})
    if "tokens" in keep:
        model.vocabulary = Vocabulary(keep["tokens"])
    return model


def _window_lm(sizes: Sizes, keep: Kept) -> WindowLM:
    vocabulary = Vocabulary(keep["tokens"]) if "tokens" in keep else keep["V"]
    names = ("window", "width", "hidden", "dropout", "tied")
    return WindowLM(vocabulary, **{name: sizes[name] for name in names if name in sizes})


def _bi_language_model(sizes: Sizes, keep: Kept) -> BiLanguageModel:
    drop = Dropout(**{name: sizes[f"drop_{name}"] for name in Dropout._fields})
    return BiLanguageModel(Options.from_json(keep["options"]), keep["words"], drop)


def _token_network(sizes: Sizes, keep: Kept) -> Network:
    spelling = Options.from_json(keep["spelling"]) if sizes["spelled"] else None
    network = network_from(sizes, len(keep["words"]), len(keep["labels"]), keep["kind"], spelling)
    network.coder = Coder(Vocabulary(keep["words"]), keep["labels"], spelling)
    return network


KINDS_OF_MODELS: dict[str, Callable[[Sizes, Kept], nn.Module]] = {
    "recurrent_lm": _recurrent_lm,
    "window_lm": _window_lm,
    "bi_language_model": _bi_language_model,
    "token_network": _token_network,
}
