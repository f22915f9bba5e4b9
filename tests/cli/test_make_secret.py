"""A suite that is to be sealed has a seed that nobody guesses, and that stands nowhere in it."""

import re
from pathlib import Path

import pytest
from commands import invoke
from pydantic import JsonValue

from pactwin.suite import InvalidInputError, Suite, new_key, secret_seed, seed_commitment


def test_a_seed_follows_from_the_key_and_what_is_asked_for(tmp_path: Path) -> None:
    """And from nothing else: an unfinished suite is resumed, a second one is another."""
    asked: dict[str, JsonValue] = {"pairs": 20, "size": [640, 480]}
    first = secret_seed(tmp_path / "key", asked)
    assert first == secret_seed(tmp_path / "key", dict(reversed(asked.items())))
    seeds = {secret_seed(tmp_path / "key", asked | {"pairs": n}) for n in range(64)}
    new_key(tmp_path / "other")
    seeds |= {first, secret_seed(tmp_path / "other", asked)}
    assert len(seeds) == 65
    assert 120 < max(seed.bit_length() for seed in seeds) <= 128
    ones = sum(bin(seed).count("1") for seed in seeds) / (128 * len(seeds))
    assert 0.45 < ones < 0.55
    (tmp_path / "key").write_text("12345678")
    with pytest.raises(InvalidInputError, match="64 hexadecimal digits"):
        secret_seed(tmp_path / "key", asked)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "asked"),
    [
        ("constraints", ("--pairs=1", "--domains=size_mismatch", "--size=240x240")),
        ("objects", ("--kinds=cup", "--size=160x160")),
    ],
)
def test_a_suite_of_a_secret_seed_can_be_sealed_and_does_not_tell_it(command, asked, tmp_path):
    out, key = tmp_path / "suite", tmp_path / "organiser.key"
    made = invoke("make", command, "--out", out, *asked, "--secret-seed", key)
    assert "a new secret key" in made.stderr
    assert key.stat().st_mode & 0o077 == 0
    request = Suite.open(out).info.request
    seed = secret_seed(key, {k: v for k, v in request.items() if k != "seed_commitment"})
    assert request["seed_commitment"] == seed_commitment(seed)
    assert "seed" not in request
    for path in (path for path in out.rglob("*") if path.is_file()):
        text = path.read_bytes()
        assert str(seed).encode() not in text and f"{seed:x}".encode() not in text
        assert key.read_bytes().strip() not in text
    again = invoke("make", command, "--out", out, *asked, "--secret-seed", key)
    assert again.stdout == made.stdout, "the same request finds it done"
    sealed = invoke("challenge", "seal", out, "--out", tmp_path / "sealed", "--key", key)
    assert re.search(r"for contestants, [1-9]\d* questions about", sealed.stdout)


@pytest.mark.parametrize(
    "command", ["constraints --pairs=1", "creative", "objects", "tools", "uses"]
)
def test_one_seed_is_given_and_no_key_goes_out(command: str, tmp_path: Path) -> None:
    out = tmp_path / "suite"
    key = ("--secret-seed", tmp_path / "key")
    for given, says in (
        ((), "give either --seed N or --secret-seed FILE"),
        (("--seed", 3, *key), "give either --seed N or --secret-seed FILE"),
        (("--secret-seed", out / "key"), re.escape(f"would be published with {out}")),
    ):
        said = invoke("make", *command.split(), "--out", out, *given, code=2).stderr
        assert re.search(says, said)
    assert list(tmp_path.iterdir()) == []
