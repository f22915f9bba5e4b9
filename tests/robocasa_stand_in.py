"""A stand-in for RoboCasa's kitchens: what pactwin calls of the packages, with a few boxes.

The package itself is not on the index, and its assets are gigabytes. Layouts are lists of fixtures
as RoboCasa's are, with their places written down.
"""

from pathlib import Path

import cv2
import numpy as np
import yaml

_ARENA = """
import numpy as np
class Fixture:
    def __init__(self, told):
        self.name, self.pos = told["name"], np.array(told["pos"])
        self.size, self.rot = np.array(told["size"]), told.get("rot", 0.0)
        self.interior_obj = told.get("interior_obj")
class Counter(Fixture): pass
class Wall(Fixture): pass
class Floor(Fixture): pass
class Cabinet(Fixture): pass
KINDS = dict(counter=Counter, wall=Wall, floor=Floor, cabinet=Cabinet)
class KitchenArena:
    def __init__(self, groups, style, rng):
        print("a word of warning")
        told = [one for group in groups.values() for some in group.values() for one in some]
        self.fixtures = {one["name"]: KINDS[one["type"]](one) for one in told}
    def set_origin(self, at): pass
"""
_REGISTRY = """
from pathlib import Path
def get_layout_path(layout):
    return str(Path(__file__).with_name(f"{layout}.yaml"))
"""
_TASKS = """
from pathlib import Path
TEXTURE = Path(__file__).with_name("stone.png")
class ManipulationTask:
    def __init__(self, mujoco_arena, mujoco_robots, mujoco_objects):
        self.fixtures = mujoco_objects
    def get_xml(self):
        bodies = "".join(self._body(one) for one in self.fixtures)
        return f'''<mujoco><compiler angle="radian"/><option timestep="0.001"/><asset>
          <texture name="stone" type="2d" file="{TEXTURE}"/>
          <material name="stone" texture="stone" reflectance="0.1"/>
          <material name="unused" texture="unused"/>
          <texture name="unused" type="2d" file="/not/there.png"/></asset><worldbody>
          <light name="lamp" pos="0 0 2"/><body name="target" mocap="true"/>{bodies}</worldbody>
          </mujoco>'''
    def _body(self, one):
        half = " ".join(str(side / 2) for side in one.size)
        pos = " ".join(str(value) for value in one.pos)
        joint = '<joint name="%s_hinge" axis="0 0 1"/>' % one.name
        return f'''<body name="{one.name}_main" pos="{pos}" euler="0 0 {one.rot}">
          <body name="{one.name}_door">{joint}
          <geom name="{one.name}_g0" type="box" size="{half}" group="0"/>
          <geom name="{one.name}_vis" type="box" size="{half}" group="1" material="stone"/>
          <geom name="{one.name}_reg" type="box" size="9 9 9" group="1" rgba="0 1 0 0"/>
          </body></body>'''
"""

ISLAND_DEPTH_M = 0.9
ISLAND_HEIGHT_M = 0.92


def write_stand_in(folder: Path) -> None:
    """Write the packages: layout 4 has an island, layout 12 only a counter at a wall.

    The island's middle is at (3, -2) of the kitchen, its long side along y.
    """
    island = {
        "name": "island",
        "type": "counter",
        "size": [2.0, ISLAND_DEPTH_M, ISLAND_HEIGHT_M],
        "pos": [3.0, -2.0, ISLAND_HEIGHT_M / 2],
        "rot": np.pi / 2,
    }
    at_wall = {
        "name": "counter_main",
        "type": "counter",
        "size": [2.0, 0.8, 0.92],
        "pos": [3.0, -0.4, 0.46],
    }
    room = [
        {"name": "wall", "type": "wall", "size": [8.0, 0.02, 3.0], "pos": [3.0, 0.6, 1.5]},
        {"name": "floor", "type": "floor", "size": [8.0, 6.0, 0.02], "pos": [3.0, -2.0, -0.01]},
    ]
    fitted = [
        {"name": "cupboard", "type": "cabinet", "size": [0.5, 0.4, 0.9], "pos": [3.0, 0.3, 1.9]},
        {"name": "pantry", "type": "cabinet", "size": [0.5, 0.5, 2.0], "pos": [4.2, -2.0, 1.0]},
        {"name": "stool", "type": "stool", "size": [0.4, 0.4, 0.6], "pos": [2.2, -2.0, 0.3]},
        {"name": "kettle", "type": "kettle", "placement": {"fixture": "island"}},
    ]
    sink = island | {"name": "sink_island", "interior_obj": "sink", "pos": [3.0, -4.5, 0.46]}
    layouts = {
        4: {
            "room": {"walls": room},
            "main": {"row": [at_wall | {"pos": [3.0, 1.1, 0.46]}, sink]},
            "island": {"group_z_rot": [], "row": [island], "others": fitted},
        },
        12: {"room": {"walls": room}, "main": {"row": [at_wall]}},
    }
    files = {
        "robocasa/__init__.py": "",
        "robocasa/models/__init__.py": "",
        "robocasa/models/scenes/__init__.py": "",
        "robocasa/models/scenes/kitchen_arena.py": _ARENA,
        "robocasa/models/scenes/scene_registry.py": _REGISTRY,
        "robosuite/__init__.py": "",
        "robosuite/models/__init__.py": "",
        "robosuite/models/tasks.py": _TASKS,
    } | {
        f"robocasa/models/scenes/{layout}.yaml": yaml.safe_dump(groups, sort_keys=False)
        for layout, groups in layouts.items()
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    cv2.imwrite(str(folder / "robosuite/models/stone.png"), np.full((8, 8, 3), 170, np.uint8))
