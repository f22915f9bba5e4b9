"""A tiny robot of one's own that tests write: a torso and a six-jointed arm, its hand a mesh."""

from pathlib import Path

MODEL = """\
<mujoco model="tiny">
  <compiler angle="radian" meshdir="parts"/>
  <asset>
    <texture name="paint" type="2d" file="paint_that_nobody_has.png"/>
    <material name="pink" rgba="1 0 0.8 1" texture="paint"/>
    <mesh name="fingers" file="fingers.obj"/>
  </asset>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="0 0 0.1"/>
    <camera name="mast" pos="0.1 0 1.3" xyaxes="0 -1 0 0.6 0 0.8"/>
    <body name="torso" pos="0 0 0.6">
      <freejoint/>
      <geom name="chest" type="box" size="0.06 0.12 0.6" material="pink"/>
      <camera name="eye" pos="0.1 0 0.7" xyaxes="0 -1 0 0.6 0 0.8"/>
      <include file="arm.xml"/>
    </body>
  </worldbody>
  <actuator><motor joint="lift"/></actuator>
  <keyframe><key name="home" qpos="0 0 0.6 1 0 0 0 0 0 0 0 0 0"/></keyframe>
</mujoco>
"""

ARM = """\
<mujocoinclude>
  <body name="shoulder" pos="0.02 0.2 0.45">
    <joint name="turn" axis="0 0 1" range="-2 2"/>
    <geom type="sphere" size="0.03"/>
    <body name="upper">
      <joint name="lift" axis="0 1 0" range="-2.5 2.5"/>
      <geom type="capsule" fromto="0.05 0 0 0.25 0 0" size="0.03"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" range="-2.6 2.6"/>
        <geom type="capsule" fromto="0.05 0 0 0.2 0 0" size="0.025"/>
        <body name="wrist" pos="0.25 0 0">
          <joint name="roll" axis="1 0 0" range="-3 3"/>
          <geom type="sphere" size="0.02"/>
          <body name="palm" pos="0.03 0 0">
            <joint name="tilt" axis="0 1 0" range="-2 2"/>
            <geom type="box" size="0.015 0.02 0.02" pos="0.01 0 0"/>
            <body name="hand" pos="0.03 0 0">
              <joint name="swing" axis="0 0 1"/>
              <geom type="mesh" mesh="fingers"/>
              <site name="grasp" pos="0.06 0 0" euler="0 1.5707963 0"/>
            </body>
          </body>
        </body>
      </body>
    </body>
  </body>
</mujocoinclude>
"""

FINGERS = """\
v 0 -0.02 -0.02
v 0 0.02 -0.02
v 0 0 0.02
v 0.08 -0.02 0
v 0.08 0.02 0
f 1 2 3
f 1 4 2
f 2 4 5
f 2 5 3
f 1 3 4
f 3 5 4
"""

MAPPING = """\
name: tiny
base: {pos_m: [-0.22, 0, -0.74]}
rest: {lift: 1.2, elbow: 0.3}
head_camera: {camera: eye}
arms:
  - name: left
    joints: [turn, lift, elbow, roll, tilt, swing]
    hand: {site: grasp}
    limits_rad: {swing: [-1.5, 1.5]}
"""


def write_robot(folder: Path) -> tuple[Path, Path]:
    """Write model and mapping into ``folder``; returns their paths."""
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "fingers.obj").write_text(FINGERS, encoding="utf-8")
    (folder / "arm.xml").write_text(ARM, encoding="utf-8")
    (folder / "tiny.xml").write_text(MODEL, encoding="utf-8")
    (folder / "tiny.yaml").write_text(MAPPING, encoding="utf-8")
    return folder / "tiny.xml", folder / "tiny.yaml"
