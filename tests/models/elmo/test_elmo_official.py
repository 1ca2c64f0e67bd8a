"""The published file format: exact round trips, and clear answers to broken or hostile files."""

from __future__ import annotations

import builtins
import hashlib
import json
import os
import re
import zlib

import h5py
import numpy as np
import pytest
import torch

from course_utils.models.elmo import BiLM, Options
from course_utils.models.elmo.official.reading import OfficialFileError
from tests.models.elmo.elmo_reference import random_weights, small_options


@pytest.fixture
def official(tmp_path):
    """Return options, the path of a weight file, and a function that writes it."""
    options = small_options()
    path = tmp_path / "weights.hdf5"

    def write(change=None) -> None:
        weights = random_weights(options)
        if change:
            change(weights)
        with h5py.File(path, "w") as file:
            for name, w in weights.items():
                file[name] = w

    write()
    return options, path, write


LSTM = "RNN_0/RNN/MultiRNNCell/Cell1/LSTMCell"


def test_round_trip_is_exact(official, tmp_path):
    """Catches the +1 of the forget gate folded in and taken out again, which loses bits."""
    options, path, _ = official
    model = BiLM.from_official(options, path)
    model.save_official(tmp_path / "o2.json", tmp_path / "w2.hdf5")
    assert json.loads((tmp_path / "o2.json").read_text()) == options
    with h5py.File(path) as a, h5py.File(tmp_path / "w2.hdf5") as b:
        names = [set(), set()]
        for file, found in ((a, names[0]), (b, names[1])):
            file.visititems(lambda name, item, found=found: found.add((name, str(item))))
        assert {n for n, _ in names[0]} == {n for n, _ in names[1]}
        for name in random_weights(options):
            assert a[name].dtype == b[name].dtype == np.float32
            assert (a[name][()] == b[name][()]).all()
    again = BiLM.from_official(tmp_path / "o2.json", tmp_path / "w2.hdf5")
    for name, value in model.state_dict().items():
        assert torch.equal(value, again.state_dict()[name]), name


def test_loaded_models_are_ready_to_embed(official):
    """Catches dropout or gradients left on, and float64 weights."""
    model = BiLM.from_official(*official[:2])
    assert not model.training
    assert all(p.dtype == torch.float32 and not p.requires_grad for p in model.parameters())


def test_everything_wrong_is_listed_in_one_error(official):
    """Catches a loader that stops at the first mistake."""
    options, path, write = official

    def spoil(weights: dict) -> None:
        del weights["CNN_proj/b_proj"]
        weights["char_embed"] = np.zeros((262, 5), np.float32)
        weights[f"{LSTM}/W_0"] = weights[f"{LSTM}/W_0"].T.copy()
        weights[f"{LSTM}/B"] = weights[f"{LSTM}/B"].astype(np.float64)
        weights[LSTM.replace("Cell1", "Cell3") + "/B"] = np.zeros(44, np.float32)
        weights["CNN_high_0/b_carry"] = np.zeros(13, np.int32)
        weights["CNN_high_1/b_carry"][2:4] = np.nan
        weights["notes"] = np.zeros(3)  # somebody's own; not ours to judge

    write(spoil)
    with pytest.raises(OfficialFileError) as caught:
        BiLM.from_official(options, path)
    text = str(caught.value)
    assert "what is wrong (7)" in text
    for line in (
        "CNN_proj/b_proj: missing, must be (7,)",
        "char_embed: has shape (262, 5), must be (261, 5)",
        f"{LSTM}/W_0: has shape (44, 14), must be (14, 44)",
        f"{LSTM}/B: holds float64, must hold float32",
        "Cell3/LSTMCell/B: not part of a model with these options",
        "CNN_high_0/b_carry: holds int32, must hold float32",
        "CNN_high_1/b_carry: 2 of 13 numbers are not finite",
    ):
        assert line in text


def test_numbers_that_were_never_written_are_missed(official):
    """Catches zeros for weights: an interrupted writer declares a dataset before it fills it."""
    options, path, _ = official
    with h5py.File(path, "a") as file:
        del file["char_embed"], file["CNN/b_cnn_1"], file["CNN_proj/b_proj"]
        file.create_dataset("char_embed", shape=(261, 5), dtype="f4")
        half = file.create_dataset("CNN/b_cnn_1", shape=(4,), chunks=(2,), dtype="f4")
        half[:2] = 1.0
        time = h5py.h5t.UNIX_D32LE.copy()  # NumPy has no such type
        space = h5py.h5s.create_simple((7,))
        h5py.h5d.create(file.id, b"CNN_proj/b_proj", time, space)
    with pytest.raises(OfficialFileError, match=r"what is wrong \(3\)") as caught:
        BiLM.from_official(options, path)
    assert "char_embed: was declared but not (all) written" in str(caught.value)
    assert "CNN/b_cnn_1: was declared but not (all) written" in str(caught.value)
    assert "CNN_proj/b_proj: cannot be read" in str(caught.value)


def test_projections_cannot_be_left_out_where_they_change_the_width(official):
    """Catches a file without any W_P_0 taken for one that needs none."""
    options, path, write = official

    def spoil(weights: dict) -> None:
        for name in [name for name in weights if name.endswith("W_P_0")]:
            del weights[name]

    write(spoil)
    with pytest.raises(OfficialFileError, match=r"what is wrong \(6\)") as caught:
        BiLM.from_official(options, path)
    assert f"{LSTM}/W_P_0: missing, must be (11, 7)" in str(caught.value)


def test_numbers_that_are_not_finite_are_refused(official):
    """Catches a NaN that would spread through every vector."""
    options, path, write = official

    def spoil(weights: dict) -> None:
        weights["char_embed"][3, 2] = np.nan
        weights["CNN/b_cnn_1"][:2] = np.inf

    write(spoil)
    with pytest.raises(OfficialFileError, match=r"(?s)char_embed: 1 of 1305.*b_cnn_1: 2 of 4 "):
        BiLM.from_official(options, path)


@pytest.mark.parametrize("share", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999])
def test_truncated_files_are_refused(official, share):
    """Catches a crash or half a model from an interrupted download."""
    options, path, _ = official
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(OfficialFileError):
        BiLM.from_official(options, path)


def test_flipped_bytes_never_crash(official):
    """Catches a library error that reaches the reader raw: only our error, or a clean load."""
    options, path, _ = official
    content = path.read_bytes()
    rng = np.random.default_rng(20)
    refused = 0
    for _ in range(200):
        spoilt = bytearray(content)
        for place in rng.integers(0, min(len(content), 6000), size=3):
            spoilt[place] = rng.integers(256)
        path.write_bytes(spoilt)
        try:
            BiLM.from_official(options, path)
        except OfficialFileError:
            refused += 1
    assert refused > 10


def test_something_else_is_not_hdf5(official, tmp_path):
    """Catches an attempt to unpickle or to guess."""
    options, path, _ = official
    path.write_bytes(b"PK\x03\x04 a zip archive, as torch.save writes it")
    with pytest.raises(OfficialFileError, match="cannot be opened as HDF5"):
        BiLM.from_official(options, path)
    with pytest.raises(OfficialFileError, match="no such weight file"):
        BiLM.from_official(options, tmp_path / "absent.hdf5")
    with pytest.raises(OfficialFileError, match="no such options file"):
        BiLM.from_official(tmp_path / "absent.json", path)


def test_a_giant_declared_size_allocates_nothing(official):
    """Catches memory taken before the file was looked at: 2^50 bytes declared, none stored."""
    options, path, _ = official
    with h5py.File(path, "a") as file:
        del file["char_embed"]
        file.create_dataset("char_embed", shape=(2**48, 5), chunks=(1024, 5), dtype="f4")
    with pytest.raises(OfficialFileError, match=re.escape("has shape (281474976710656, 5)")):
        BiLM.from_official(options, path)
    options["lstm"]["dim"] = 2**20
    options["lstm"]["projection_dim"] = 2**19
    with pytest.raises(OfficialFileError, match="the options ask for"):
        BiLM.from_official(options, path)
    larger = small_options(dim=1100, projection_dim=700)
    weights = {name: np.zeros_like(w) for name, w in random_weights(larger).items()}
    with h5py.File(path, "w") as file:
        for name, w in weights.items():
            file.create_dataset(name, data=w, compression="gzip")
    assert path.stat().st_size < 2**20
    with pytest.raises(OfficialFileError, match="the options ask for 166,"):
        BiLM.from_official(larger, path)


@pytest.mark.parametrize("clip", [10**400, float("inf"), float("nan"), -1, True, "3"])
def test_a_clip_is_a_finite_positive_number(official, clip):
    """Catches an OverflowError for a number with 400 digits, and options that are not JSON."""
    options, path, _ = official
    options["lstm"]["cell_clip"] = clip
    with pytest.raises(ValueError, match=r"lstm\.cell_clip: .*must be a positive number or null"):
        BiLM.from_official(options, path)


@pytest.mark.parametrize(("part", "key"), [("lstm", "n_layers"), ("char_cnn", "n_highway")])
def test_no_file_asks_for_endless_layers(official, part, key):
    """Catches gigabytes of dataset names, and an error as long, for one number in the options."""
    options, path, _ = official
    filters = {**options["char_cnn"], "filters": [[1, 1]] * 150_000}
    with pytest.raises(ValueError, match=r"char_cnn\.filters: .* at most 100 pairs"):
        BiLM.from_official({**options, "char_cnn": filters}, path)
    options[part][key] = 200_000
    with pytest.raises(ValueError, match=f"{part}.{key}: 200000, must be .* at most 100"):
        BiLM.from_official(options, path)


def test_a_flipped_byte_is_noticed_by_whoever_knows_the_sha256(official, capsys):
    """Catches other weights taken in silence: a flipped bit of a number is a number as well."""
    options, path, _ = official
    BiLM.from_official(options, path)
    told = capsys.readouterr().out
    (read,) = re.findall(r'weights\.hdf5: read with sha256="([0-9a-f]{64})"', told)
    assert read == hashlib.sha256(path.read_bytes()).hexdigest()
    BiLM.from_official(options, path, sha256=read.upper())
    assert capsys.readouterr().out == ""
    with h5py.File(path, "a") as file:
        file["char_embed"][3, 2] += 1e-3
    with pytest.raises(OfficialFileError, match=rf"its sha256 is [0-9a-f]+, not {read}"):
        BiLM.from_official(options, path, sha256=read)
    BiLM.from_official(options, path)


def test_a_chunk_larger_than_its_dataset_is_not_unpacked(official):
    """Catches a gigabyte of zeros for a table of 1,305 numbers: chunks are unpacked as a whole."""
    options, path, _ = official
    with h5py.File(path, "a") as file:
        del file["char_embed"]
        file.create_dataset(
            "char_embed", (261, 5), "f4", chunks=(512, 512), maxshape=(None, None),
            compression="gzip", data=np.ones((261, 5)),
        )  # fmt: skip
    with pytest.raises(OfficialFileError, match=r"char_embed: lies in chunks of \(512, 512\)"):
        BiLM.from_official(options, path)
    with h5py.File(path, "a") as file:
        del file["char_embed"]
        file.create_dataset(
            "char_embed", data=np.ones((261, 5), "f4"), chunks=(261, 2), compression="gzip"
        )
    assert BiLM.from_official(options, path).encoder.embedding.weight.eq(1).all()


def repacked(path, body: bytes, mask: int = 0, **options) -> None:
    """Make char_embed one chunk whose gzip stream is `body`."""
    with h5py.File(path, "a") as file:
        del file["char_embed"]
        whole = {"chunks": (261, 5), "compression": "gzip"} | options
        made = file.create_dataset("char_embed", (261, 5), "f4", **whole)
        made.id.write_direct_chunk((0, 0), body, mask)


@pytest.mark.parametrize("shuffle", [False, True])
def test_a_chunk_that_unpacks_to_more_than_itself_is_not_unpacked(official, shuffle):
    """Catches a chunk believed to hold what it declares: its gzip stream has 100 MB more."""
    options, path, _ = official
    right = np.ones((261, 5), np.float32).tobytes()
    repacked(path, zlib.compress(right), shuffle=shuffle)
    BiLM.from_official(options, path)
    for more in (1, 100_000_000):
        repacked(path, zlib.compress(right + bytes(more), 1), shuffle=shuffle)
        with pytest.raises(OfficialFileError, match=r"char_embed: .* more than its 5,220 bytes"):
            BiLM.from_official(options, path)
    repacked(path, b"no stream", shuffle=shuffle)
    with pytest.raises(OfficialFileError, match="char_embed: has chunks that cannot be unpacked"):
        BiLM.from_official(options, path)


@pytest.mark.parametrize("later", [False, True])
def test_every_chunk_is_looked_at(official, later):
    """Catches the first chunk of a dataset taken for all of them."""
    options, path, _ = official
    with h5py.File(path, "a") as file:
        del file["char_embed"]
        made = file.create_dataset(
            "char_embed", data=np.ones((261, 5), "f4"), chunks=(200, 5), compression="gzip"
        )
        made.id.write_direct_chunk((200 * later, 0), zlib.compress(bytes(4001)))
    with pytest.raises(OfficialFileError, match=r"char_embed: .* more than its 4,000 bytes"):
        BiLM.from_official(options, path)


@pytest.mark.parametrize("packing", [{"compression": "lzf"}, {"fletcher32": True}, {"mask": 1}])
def test_other_packings_are_refused(official, packing):
    """Catches a bomb in a packing that nobody bounds; the answer says how to do without one."""
    options, path, _ = official
    repacked(path, zlib.compress(bytes(5220)), **packing)
    with pytest.raises(
        OfficialFileError, match=r"char_embed: .* packing|packed .*h5repack -f NONE"
    ):
        BiLM.from_official(options, path)


def test_links_out_of_the_file_are_not_followed(official, tmp_path):
    """Catches a weight file that reads other files of its user."""
    options, path, _ = official
    other = tmp_path / "secret.hdf5"
    with h5py.File(other, "w") as file:
        file["x"] = np.zeros((261, 5), np.float32)
    raw = tmp_path / "raw.bin"
    raw.write_bytes(np.zeros((6,), np.float32).tobytes())
    with h5py.File(path, "a") as file:
        del file["char_embed"], file["CNN/b_cnn_0"], file["CNN/b_cnn_2"]
        file["char_embed"] = h5py.ExternalLink(str(other), "/x")
        file["CNN/b_cnn_0"] = h5py.SoftLink("/CNN/b_cnn_1")
        file["CNN"].create_dataset("b_cnn_2", shape=(6,), dtype="f4", external=[(str(raw), 0, 24)])
        file["RNN_0/loop"] = file["/"]  # a group that contains itself
        del file["RNN_1"]
        file["RNN_1"] = file["RNN_0"]
    with pytest.raises(OfficialFileError) as caught:
        BiLM.from_official(options, path)
    text = str(caught.value)
    assert "char_embed: is a link to another place" in text
    assert "CNN/b_cnn_0: is a link to another place" in text
    assert "CNN/b_cnn_2: keeps its numbers in another file" in text
    assert "RNN_0/loop: is another name of a group" in text or "RNN_1/loop:" in text
    assert "RNN_1: is another name of a group" in text or "RNN_0: is another name" in text


def test_wrong_options_are_listed_in_one_error(tmp_path):
    """Catches a KeyError as the answer to a wrong options file."""
    options = small_options(dim=0, cell_clip="three", n_layers=True)
    del options["lstm"]["use_skip_connections"]
    options["char_cnn"]["filters"] = [[1, 3], [2]]
    options["char_cnn"]["activation"] = "gelu"
    options["char_cnn"]["n_characters"] = 300
    path = tmp_path / "options.json"
    path.write_text(json.dumps(options))
    with pytest.raises(OfficialFileError) as caught:
        BiLM.from_official(path, tmp_path / "w.hdf5")
    for key in ("lstm.dim", "lstm.cell_clip", "lstm.n_layers", "lstm.use_skip_connections",
                "char_cnn.filters", "char_cnn.activation", "char_cnn.n_characters"):  # fmt: skip
        assert key in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[1, 2]", b"\xff\xfe", b"[" * 100_000, b"null"])
def test_broken_options_are_refused(tmp_path, content):
    """Catches a decoder's own error, or endless recursion, on a file that is no options file."""
    path = tmp_path / "options.json"
    path.write_bytes(content)
    with pytest.raises(OfficialFileError):
        BiLM.from_official(path, tmp_path / "w.hdf5")


def test_options_as_the_original_code_reads_them():
    """Catches keys that real files lack or carry besides: training dumps, 261 characters."""
    json_options = small_options()
    json_options.update(bidirectional=True, dropout=0.1, n_tokens_vocab=793471, unroll_steps=20)
    del json_options["lstm"]["n_layers"], json_options["lstm"]["cell_clip"]
    del json_options["char_cnn"]["n_highway"]
    json_options["lstm"]["proj_clip"] = 0
    json_options["char_cnn"]["n_characters"] = 261
    options = Options.from_json(json_options)
    assert (options.layers, options.cell_clip, options.proj_clip, options.highways) == (
        1, None, None, 0,
    )  # fmt: skip
    assert Options.from_json(options.to_json()) == options


def test_a_projection_that_is_there_is_kept(official, tmp_path):
    """Catches an identity W_P_0 left out on saving: without it nobody would clip what it yields."""
    options, path, write = official
    options["lstm"].update(dim=7, proj_clip=0.1)

    def straight(weights: dict) -> None:
        for name in weights:
            if name.endswith("W_P_0"):
                weights[name] = np.eye(7, dtype=np.float32)

    write(straight)
    model = BiLM.from_official(options, path)
    model.save_official(tmp_path / "o.json", tmp_path / "w.hdf5")
    with h5py.File(tmp_path / "w.hdf5") as file:
        assert f"{LSTM}/W_P_0" in file
    again = BiLM.from_official(tmp_path / "o.json", tmp_path / "w.hdf5")
    sentences = [["stick", "to", "improvisation"]]
    assert torch.equal(again(sentences).layers, model(sentences).layers)
    assert model(sentences).state.h.abs().max() == np.float32(options["lstm"]["proj_clip"])


def test_what_is_left_out_must_be_left_out_whole(official):
    """Catches half of a projection taken for none."""
    options, path, write = official
    options["lstm"].update(dim=13, projection_dim=13)

    def spoil(weights: dict) -> None:
        del weights[f"{LSTM}/W_P_0"], weights["CNN_proj/W_proj"]

    write(spoil)
    with pytest.raises(OfficialFileError, match=r"what is wrong \(2\)") as caught:
        BiLM.from_official(options, path)
    assert "CNN_proj/W_proj: missing, must be (13, 13)" in str(caught.value)
    assert f"{LSTM}/W_P_0: missing, must be (13, 13)" in str(caught.value)


def test_a_failed_save_leaves_the_old_file(official, tmp_path):
    """Catches a weight file cut in half by a full disk."""
    options, path, _ = official
    model = BiLM.from_official(options, path)
    before = path.read_bytes()
    model.directions[1][2].weight_hr = torch.nn.Parameter(torch.empty(7, 11, device="meta"))
    with pytest.raises(NotImplementedError):
        model.save_official(tmp_path / "options.json", path)
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["weights.hdf5"]


def test_a_save_that_dies_at_its_last_step_leaves_the_old_file(official, tmp_path, monkeypatch):
    """Catches weights copied over the old ones: whoever reads meanwhile would get half of both."""
    options, path, _ = official
    model = BiLM.from_official(options, path)
    before = path.read_bytes()
    model.directions[0][0].bias.data.add_(1)

    def full(*_):
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        model.save_official(tmp_path / "options.json", path)
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["weights.hdf5"]


def test_a_missing_h5py_names_the_extra(official, monkeypatch):
    """Catches a bare ImportError for a package that the course installs only on request."""
    real = builtins.__import__

    def without(name, *rest, **more):
        if name == "h5py":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=re.escape('pip install "recurrent-course[elmo]"')):
        BiLM.from_official(*official[:2])
