"""Things with parts of drawn measures, by which tasks are planned without building anything."""

import io
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

from pactwin.catalogue import (
    ENVIRONMENT,
    Entity,
    MeasuredPart,
    load_catalogue,
    load_uses,
    part_camera,
    thing_camera,
)
from pactwin.suite import (
    ObjectRecord,
    Scene,
    SuiteWriter,
    UnknownCamera,
    View,
    Visibility,
    opaque_id,
)
from pactwin.tasks import KnowledgeBase, UsePlan, make_use_question, plan_tasks

_SPREAD = {
    "length_mm": (20, 400), "width_mm": (4, 250), "depth_mm": (2, 200), "wall_mm": (0.5, 40),
    "tip_mm": (0.5, 120), "edge_mm": (0.2, 40), "flat_mm": (3, 250), "hook_mm": (0.5, 50),
    "roundness": (0.2, 1.0), "room_ml": (4, 6000), "opening_mm": (8, 250), "mass_g": (5, 4000),
    "stiffness_n_mm": (0.05, 5000), "volume_ml": (1, 3000), "reach_mm": (20, 400),
    "cover_mm": (3, 250), "stand_mm": (20, 300), "top_mm": (3, 250), "lay_mm": (2, 200),
    "bare_mm": (20, 400), "proud_mm": (0.1, 50), "ring": (0.2, 1.0),
}  # fmt: skip


def known_things(seed: int) -> KnowledgeBase:
    """The catalogue's kinds and parts in their materials; all that is measured is drawn."""
    rng = np.random.default_rng(seed)
    table, catalogue = load_uses(), load_catalogue()
    entities = {}
    for kind in table.kinds():
        parts = {}
        for name, material in catalogue.kind(kind).parts.items():
            if material in table.materials:
                measures = {
                    key: float(np.exp(rng.uniform(*np.log(ends))))
                    for key, ends in _SPREAD.items()
                    if key not in ("room_ml", "opening_mm", "hook_mm", "stand_mm")
                    or rng.random() < 0.4
                }
                traits = table.materials[material].traits
                parts[name] = MeasuredPart(material=material, traits=traits, measures=measures)
        longest = 1.3 * max((p.measures["length_mm"] for p in parts.values()), default=0)
        whole = {
            "thing_mm": longest,
            "thing_g": sum(part.measures["mass_g"] for part in parts.values()),
            "thing_cover_mm": max((p.measures["cover_mm"] for p in parts.values()), default=0),
            "off_mm": float(rng.choice([0.0, 30.0])),
        }
        for k, part in parts.items():
            sides = tuple(part.measures[m] for m in ("stand_mm",) if m in part.measures)
            whole["share"] = part.measures["mass_g"] / whole["thing_g"]
            own = {**whole, "fold_mm": part.measures["depth_mm"], **part.measures}
            parts[k] = part.model_copy(update={"measures": own, "sides_mm": sides})
        title = catalogue.kind(kind).title
        entities[kind] = Entity(kind=kind, name=title, state="upright", parts=parts)
    return KnowledgeBase(entities, table)


def planned(
    known: KnowledgeBase, count: int, seed: int, borne_out: Callable[[UsePlan], bool] = bool
) -> list[UsePlan]:
    """The plans of all groups."""
    return [plan for group in plan_tasks(known, count, seed, borne_out) for plan in group]


EYE = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))


def scene_of(known: KnowledgeBase, plan: UsePlan, number: int) -> tuple[Scene, dict[str, bytes]]:
    """A scene whose pictures are of one colour each; one part of the last thing has none."""
    id = opaque_id(f"inspecting:{number}")
    kinds = sorted((plan.kind, *plan.others))
    cameras = [ENVIRONMENT]
    for k, kind in enumerate(kinds, start=1):
        cameras += [thing_camera(k), *(part_camera(k, part) for part in known.of(kind))]
    unseen = {known.entities[kind].name: Visibility(pixels=0, fraction=0.0) for kind in kinds}
    views, files = [], {}
    for k, name in enumerate(cameras[:-1]):
        data = io.BytesIO()
        Image.new("RGB", (8, 8), (number, 3 * k, 255 - 3 * k)).save(data, "PNG")
        path = f"views/{id}/{name}.png"
        files[path] = data.getvalue()
        camera = UnknownCamera(name=name, width_px=8, height_px=8)
        views.append(View(camera=camera, image=path, visibility=unseen))
    objects = tuple(
        ObjectRecord(
            name=known.entities[kind].name, category=kind, world_from_object=EYE,
            size_m=(0.1, 0.1, 0.1), mass_kg=1.0, color="red", material="wood", asset=kind,
            instance_id=k,
        )
        for k, kind in enumerate(kinds, start=1)
    )  # fmt: skip
    scene = Scene(
        id=id, domain=plan.tier, source="imported", seed=0, robot="", objects=objects,
        views=tuple(views),
    )  # fmt: skip
    return scene, files


@cache
def _inspected() -> tuple[KnowledgeBase, list[UsePlan], list[tuple[Scene, dict[str, bytes]]]]:
    known = known_things(4)

    def pictured(plan: UsePlan) -> bool:
        last = max(plan.kind, *plan.others)
        return (plan.kind, plan.part) != (last, [*known.of(last)][-1])

    drawn = (planned(known, 2, seed) for seed in range(1, 20))
    plans = next(plans for plans in drawn if all(map(pictured, plans)))
    return known, plans, [scene_of(known, plan, n) for n, plan in enumerate(plans)]


def write_inspected(out: Path, *, pictures: bool = True) -> Path:
    """A suite of two tasks whose pictures are of one colour each, or without any."""
    known, plans, drawn = _inspected()
    by_id = {scene.id: plan for (scene, _), plan in zip(drawn, plans, strict=True)}
    with SuiteWriter.open(out, name="inspected", request={}, gl_renderer="none") as writer:
        for scene, files in drawn:
            if not pictures:
                scene, files = scene.model_copy(update={"objects": (), "views": ()}), {}
            writer.add((scene,), files, {})
        writer.finish(lambda scenes: [make_use_question(known, by_id[s.id], s) for s in scenes])
    return out
