"""What every language model here can do: score a text, and continue one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Protocol, TypeGuard

import torch
from torch import Tensor

from course_utils.models.language.sampling import Sampler
from course_utils.models.quiet import quiet

Tokens = Sequence[Any] | Tensor  # words or numbers; several prompts are a sequence of these
Memory = tuple[Tensor, ...]  # the second-to-last dimension of each is the batch


class TokenNumbers(Protocol):
    """What a model needs from a vocabulary: see `course_utils.data.vocabulary.Vocabulary`."""

    def __len__(self) -> int: ...
    def encode(self, tokens: Sequence[str]) -> Tensor: ...
    def decode(self, numbers: Sequence[int]) -> list[str]: ...


class LanguageModel:
    """The contract of n-gram, window and recurrent language models.

    `vocabulary` is a number of tokens, or an object that numbers them; with the latter, prompts
    and stops may be tokens, and an unknown token is whatever the vocabulary makes of it. A model
    implements `read` and `log_probs`; scoring and generation follow from these.
    """

    vocabulary: int | TokenNumbers

    @property
    def V(self) -> int:
        """Return how many tokens there are."""
        return self.vocabulary if isinstance(self.vocabulary, int) else len(self.vocabulary)

    def read(self, tokens: Tensor, memory: Memory | None) -> tuple[Tensor, Memory]:
        """Read one token per row (B,); return log p(next) (B, V) and the memory after it."""
        raise NotImplementedError

    def log_probs(self, tokens: Tokens) -> Tensor:
        """Return log p(token | all before it) for every token except the first, (T - 1,)."""
        raise NotImplementedError

    def perplexity(self, tokens: Tokens) -> float:
        """Return exp of the mean -log p: how many tokens the model is torn between."""
        return self.log_probs(tokens).double().mean().neg().exp().item()

    def next_log_probs(self, context: Tokens) -> Tensor:
        """Return log p(next token) after this context, (V,)."""
        log_p, _ = self._read_prompts([self._prompt(context)])
        return log_p[0]

    def generate(
        self,
        prompt: Tokens,
        max_tokens: int,
        temperature: float = 1.0,
        **choices: Any,
    ) -> list[Any]:
        """Return the model's continuation, without the prompt and without the stop token.

        Temperature 0 takes the likeliest token. A list of prompts gives a list of continuations;
        row b is drawn as if it were alone, with seed + b. Tokens come back in the form that the
        prompt has. The other choices are those of `stream`: top_k, top_p, stop, seed, never.

        >>> from course_utils.shipped import load_trained
        >>> model = load_trained("word_lstm")
        >>> said = model.generate(["we", "are"], max_tokens=5, temperature=0.8, seed=1)
        >>> len(said), said == model.generate(["we", "are"], 5, 0.8, seed=1)
        (5, True)
        """
        answers: list[list[Any]] = [[] for _ in range(len(prompt) if _is_batch(prompt) else 1)]
        for step in self.stream(prompt, max_tokens, temperature, **choices):
            for answer, token in zip(answers, step if _is_batch(prompt) else [step], strict=True):
                if token is not None:
                    answer.append(token)
        return answers if _is_batch(prompt) else answers[0]

    def stream(
        self,
        prompt: Tokens,
        max_tokens: int,
        temperature: float = 1.0,
        top_k: int | None = None,
        stop: object | Collection[object] = None,
        seed: int | None = None,
        never: object | Collection[object] = None,
        top_p: float | None = None,
    ) -> Iterator[Any]:
        """Yield `generate`'s tokens one by one; for a batch, lists with None for finished rows.

        Tokens in `never` are not generated; the others share their probability.
        """
        if max_tokens < 0:
            raise ValueError(f"max_tokens must be 0 or more, not {max_tokens}")
        batch = _is_batch(prompt)
        prompts = [self._prompt(row) for row in (prompt if batch else [prompt])]
        if not prompts:
            raise ValueError("the batch is empty: give at least one prompt")
        unsaid = self._token_set(never)
        sampler = Sampler(self.V, len(prompts), temperature, top_k, seed, unsaid, top_p)
        stops = self._token_set(stop)
        words = self._words() if _in_words(prompt[0] if batch else prompt) else None
        return self._steps(prompts, max_tokens, sampler, stops, batch, words)

    def _steps(
        self,
        prompts: list[Tensor],
        max_tokens: int,
        sampler: Sampler,
        stops: set[int],
        batch: bool,
        words: TokenNumbers | None,
    ) -> Iterator[Any]:
        """Alternate between drawing and reading until every row has reached its stop token."""
        if max_tokens == 0:
            return
        log_p, memory = self._read_prompts(prompts)
        going = [True] * len(prompts)
        for left in reversed(range(max_tokens)):
            drawn = sampler.draw(log_p)
            going = [on and token not in stops for on, token in zip(going, drawn, strict=True)]
            if not any(going):
                return
            tokens = words.decode(drawn) if words else drawn
            step = [token if on else None for on, token in zip(going, tokens, strict=True)]
            yield step if batch else step[0]
            if left:
                log_p, memory = self._read_quietly(torch.tensor(drawn), memory)

    def _read_prompts(self, prompts: list[Tensor]) -> tuple[Tensor, Memory]:
        """Read prompts of any length side by side; a prompt that has ended keeps its memory."""
        log_p, memory = self._read_quietly(torch.stack([prompt[0] for prompt in prompts]), None)
        for t in range(1, max(map(len, prompts))):
            tokens = torch.stack([prompt[min(t, len(prompt) - 1)] for prompt in prompts])
            new_log_p, new_memory = self._read_quietly(tokens, memory)
            reading = torch.tensor([t < len(prompt) for prompt in prompts])[:, None]
            reading = reading.to(new_log_p.device)
            log_p = torch.where(reading, new_log_p, log_p)
            pairs = zip(new_memory, memory, strict=True)
            memory = tuple(torch.where(reading, new, kept) for new, kept in pairs)
        return log_p, memory

    def _read_quietly(self, tokens: Tensor, memory: Memory | None) -> tuple[Tensor, Memory]:
        """Read without gradients and without dropout."""
        with quiet(self):
            return self.read(tokens, memory)

    def _prompt(self, prompt: Tokens) -> Tensor:
        if len(prompt) == 0:
            raise ValueError("the prompt is empty: start with a token, such as a begin token")
        return self.numbers(prompt)

    def numbers(self, tokens: Tokens) -> Tensor:
        """Return tokens as checked numbers, (T,)."""
        if _in_words(tokens):
            tokens = self._words().encode(tokens)
        given = torch.as_tensor(tokens)
        if given.is_floating_point() and given.numel():
            raise TypeError(f"tokens are words or whole numbers, not {given.dtype}")
        numbers = given.long().cpu()
        if numbers.dim() != 1:
            raise ValueError(f"a text is one row of tokens, not of shape {tuple(numbers.shape)}")
        wrong = numbers[(numbers < 0) | (numbers >= self.V)]
        if len(wrong):
            raise ValueError(f"token {wrong[0]} is not one of the {self.V} (0 to {self.V - 1})")
        return numbers

    def _words(self) -> TokenNumbers:
        """Return the vocabulary, if it knows tokens by name."""
        if isinstance(self.vocabulary, int):
            raise TypeError(
                "this model knows its tokens by number only: encode them first, or build it "
                "with a Vocabulary in place of the number of tokens"
            )
        return self.vocabulary

    def _text(self, tokens: Tokens) -> Tensor:
        """Return a text to score, as numbers."""
        numbers = self.numbers(tokens)
        if len(numbers) < 2:
            raise ValueError("a text to score needs two tokens: the first is only context")
        return numbers

    def _token_set(self, given: object | Collection[object]) -> set[int]:
        """Return the numbers of one token, of several, or of none at all."""
        if given is None:
            return set()
        if isinstance(given, Tensor):
            given = given.tolist()
        if isinstance(given, Collection) and not isinstance(given, str):
            tokens = list(given)
        else:
            tokens = [given]
        return set(self.numbers(tokens).tolist()) if tokens else set()


def check_vocabulary(vocabulary: int | TokenNumbers) -> int | TokenNumbers:
    """Return the vocabulary, if a model can be built on it."""
    if isinstance(vocabulary, int):
        if vocabulary < 1:
            raise ValueError(f"a vocabulary holds at least one token, not {vocabulary}")
    elif not all(hasattr(vocabulary, name) for name in ("__len__", "encode", "decode")):
        raise TypeError(
            f"vocabulary must be a number of tokens or a Vocabulary, not a "
            f"{type(vocabulary).__name__}: Vocabulary.of(tokens) makes one"
        )
    return vocabulary


def _is_batch(prompt: Tokens) -> bool:
    alone = prompt is None or isinstance(prompt, int)
    if alone or (isinstance(prompt, Tensor) and prompt.dim() == 0):
        raise TypeError(f"a prompt is a sequence of tokens, such as [1, 2], not {prompt!r}")
    if isinstance(prompt, Tensor):
        return prompt.dim() == 2
    return not isinstance(prompt, str) and any(isinstance(p, list | tuple | Tensor) for p in prompt)


def _in_words(tokens: Tokens) -> TypeGuard[Sequence[str]]:
    return not isinstance(tokens, Tensor) and len(tokens) > 0 and isinstance(tokens[0], str)
