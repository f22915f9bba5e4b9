"""What identifies a suite does not change because records can say more now."""

from fakes import fake_pairs

from pactwin.suite import Check, Constraint, Grasp, Measurement, Perturbations, Scene
from pactwin.suite.digest import ContentHash


def hash_of(scene: Scene) -> str:
    content = ContentHash()
    content.add_scene(scene, {})
    return content.hexdigest({}, {})


def with_check(scene: Scene, check: Check) -> Scene:
    verdict = scene.decided.model_copy(update={"checks": {"it_fits": check}})
    return scene.model_copy(update={"verdict": verdict})


def test_checks_of_which_no_repetitions_are_told_keep_their_hash() -> None:
    (pair,) = fake_pairs(1)
    measured = {"gap": Measurement(value=1.0, unit="m")}
    check = Check(holds=True, constraint=Constraint.NONE, measurements=measured, margin=1.0)
    uncounted = hash_of(with_check(pair.scenes[0], check))
    silent = check.model_copy(update={"independent_of": ("mass",)})
    assert hash_of(with_check(pair.scenes[0], silent)) == uncounted
    told = silent.model_copy(update={"perturbations": Perturbations(agreed=4, run=4)})
    assert hash_of(with_check(pair.scenes[0], told)) != uncounted
    grasp = Grasp(arm="left", approach="", waiting={}, taking={"elbow": 1.0}, opening_m=0.06)
    taken = check.model_copy(update={"grasp": grasp})
    assert hash_of(with_check(pair.scenes[0], taken)) != uncounted


def test_a_layout_does_not_change_the_hash() -> None:
    """Another version of zlib may write other bytes of it."""
    (pair,) = fake_pairs(1)
    scene = pair.scenes[0]
    assert hash_of(scene.model_copy(update={"layout": "abcd"})) == hash_of(scene)
