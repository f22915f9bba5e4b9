"""Colours are those of MuJoCo's own renderer, whatever there is to see."""

import cv2
import mujoco
import numpy as np

from pactwin.sim.rendering.cameras import camera_at, looking_at
from pactwin.sim.rendering.render import Renderer, aim
from pactwin.suite import Camera

SIZE = (320, 240)
EVERY_SHAPE = """
<mujoco>
  <visual>
    <global offwidth="320" offheight="240"/>
    <quality shadowsize="600" offsamples="4"/>
  </visual>
  <statistic extent="0.8" center="0 0 0"/>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".2 .4 .9" rgb2="1 .9 .8" width="64"
      height="384"/>
    <texture name="flat" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".9 .8 .3" width="64"
      height="64"/>
    <texture name="around" type="cube" builtin="gradient" rgb1=".9 .3 .2" rgb2=".2 .8 .3"
      width="64" height="64"/>
    <material name="floor" texture="flat" texuniform="true" texrepeat="3 5"/>
    <material name="flat" texture="flat" texrepeat="2 1" emission=".2"/>
    <material name="around" texture="around" specular=".9" shininess=".8"/>
    <mesh name="tent" vertex="-.1 -.1 0  .1 -.1 0  0 .1 0  0 0 .15" texcoord="0 0 1 0 0 1 1 1"
      face="0 2 1  0 1 3  1 2 3  2 0 3"/>
  </asset>
  <worldbody>
    <light name="main" directional="true" pos="1 -1 2" dir="-.4 .4 -1" diffuse=".5 .5 .45"
      specular=".4 .4 .4"/>
    <light name="fill" directional="true" pos="-1 1 2" dir=".5 -.3 -1" diffuse=".2 .2 .2"
      castshadow="false"/>
    <geom type="box" size=".7 .7 .01" pos="0 0 -.01" material="floor"/>
    <geom type="plane" size=".7 .3 1" pos="0 .7 .3" quat=".7071 .7071 0 0" material="flat"/>
    <geom type="sphere" size=".07" pos="-.3 -.2 .07" rgba=".8 .2 .2 1"/>
    <geom type="ellipsoid" size=".1 .06 .04" pos="0 -.3 .04" material="around"/>
    <geom type="capsule" size=".03 .08" pos=".3 -.2 .11" rgba=".2 .3 .8 1"/>
    <geom type="cylinder" size=".06 .08" pos="-.3 .2 .08" material="flat"/>
    <geom type="box" size=".05 .08 .1" pos="0 .1 .1" euler="0 0 30" material="around"/>
    <geom type="mesh" mesh="tent" pos=".3 .2 0" material="flat"/>
    <geom type="box" size=".05 .05 .05" pos="-.1 -.1 .05" rgba=".3 .9 .6 .4"/>
    <geom type="sphere" size=".05" pos=".12 -.12 .05" rgba=".9 .6 .1 .6"/>
  </worldbody>
</mujoco>
"""


def seen_from(*eye_m: float) -> Camera:
    return camera_at("any", looking_at(np.array(eye_m), np.array([0.0, 0.0, 0.05])), SIZE)


def drawn_by_mujoco(model: mujoco.MjModel, data: mujoco.MjData, camera: Camera) -> np.ndarray:
    scene = mujoco.MjvScene(model, 50)
    mujoco.mjv_updateScene(
        model,
        data,
        mujoco.MjvOption(),
        None,
        mujoco.MjvCamera(),
        mujoco.mjtCatBit.mjCAT_ALL,
        scene,
    )
    aim(scene, camera)
    context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_50)
    color = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
    viewport = mujoco.MjrRect(0, 0, *SIZE)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
    mujoco.mjr_render(viewport, scene, context)
    mujoco.mjr_readPixels(color, None, viewport, context)
    context.free()
    return color[::-1]


def test_every_shape_and_surface_looks_as_mujoco_draws_it_from_all_sides_and_after_moves() -> None:
    model = mujoco.MjModel.from_xml_string(EVERY_SHAPE)
    with Renderer(model, np.zeros(model.ngeom, np.uint16)) as renderer:
        for camera in (seen_from(0.5, -0.9, 0.7), seen_from(-0.8, -0.4, 0.5)):
            ours, theirs = renderer.color(camera), drawn_by_mujoco(model, renderer.data, camera)
            assert cv2.PSNR(ours, theirs) > 60.0
        still = ours
        model.geom_pos[3:] += (0.05, 0.03, 0.06)
        renderer.moved()
        ours, theirs = renderer.color(camera), drawn_by_mujoco(model, renderer.data, camera)
        assert cv2.PSNR(ours, theirs) > 60.0
        assert cv2.PSNR(ours, still) < 25.0
