"""What OpenGL is told of a model is closed, faces outwards and has its size."""

import mujoco
import numpy as np
import pytest

from pactwin.sim.rendering.triangles import Triangles

MODEL = """
<mujoco>
  <asset><mesh name="wedge" vertex="0 0 0  2 0 0  0 1 0  2 1 0  0 0 1  0 1 1"/></asset>
  <worldbody>
    <body pos="1 2 3" euler="20 30 40">
      <geom name="box" type="box" size=".1 .2 .3"/>
      <geom name="sphere" type="sphere" size=".2"/>
      <geom name="capsule" type="capsule" size=".1 .3"/>
      <geom name="ellipsoid" type="ellipsoid" size=".1 .2 .3"/>
      <geom name="cylinder" type="cylinder" size=".1 .3"/>
      <geom name="wedge" type="mesh" mesh="wedge"/>
      <geom name="hidden" type="box" size="1 1 1" group="3"/>
    </body>
  </worldbody>
</mujoco>
"""
VOLUMES = {
    "box": 8 * 0.006,
    "sphere": 4 / 3 * np.pi * 0.2**3,
    "capsule": 4 / 3 * np.pi * 0.1**3 + np.pi * 0.1**2 * 0.6,
    "ellipsoid": 4 / 3 * np.pi * 0.006,
    "cylinder": np.pi * 0.1**2 * 0.6,
    "wedge": 1.0,
}


@pytest.mark.parametrize("name", VOLUMES)
def test_triangles_enclose_their_geom_and_normals_point_out(name: str) -> None:
    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    triangles = Triangles(model)
    triangles.move(data)
    (batch,) = triangles.batches
    corners = batch.corners.reshape(-1, 3)
    mine = triangles.vertices[corners[:, 0], 16] == model.geom(name).id + 1
    a, b, c = np.moveaxis(triangles.vertices[corners[mine], :3].astype(float), 1, 0)
    out = np.cross(b - a, c - a)
    middle = data.geom_xpos[model.geom(name).id]
    volume = np.einsum("ni,ni->n", a - middle, out).sum() / 6
    assert volume == pytest.approx(VOLUMES[name], rel=0.04)
    wide = np.linalg.norm(out, axis=1) > 1e-9
    normals = triangles.vertices[corners[mine], 3:6][wide]
    out = out[wide] / np.linalg.norm(out[wide], axis=1, keepdims=True)
    assert np.einsum("nci,ni->nc", normals, out).min() > 0.7
    assert np.linalg.norm(normals, axis=2) == pytest.approx(1.0, abs=1e-5)


def test_what_viewers_hide_is_not_drawn() -> None:
    model = mujoco.MjModel.from_xml_string(MODEL)
    assert model.geom("hidden").id + 1 not in Triangles(model).vertices[:, 16]
