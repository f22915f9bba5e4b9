"""Colours of the surface of a textured mesh."""

from collections import Counter
from pathlib import Path

import numpy as np

from pactwin.catalogue import RGB
from pactwin.sim.scene.layout import Part
from pactwin.suite import open_picture

_POINTS = 4000
_STEPS = 8
"""Colours are told apart in steps of an eighth of a channel, finer than people name them."""


def mesh_colours(part: Part) -> dict[RGB, float]:
    """Colours (sRGB, 0..1) of a mesh part from its texture, with their shares of the area.

    Points are spread evenly over the triangles; each has the texture's colour at its texture
    coordinates, times the part's colour. Without texture or coordinates only the part's colour is
    returned.
    """
    import mujoco

    own = np.array((part.rgba or (1.0, 1.0, 1.0, 1.0))[:3])
    spec = mujoco.MjSpec()
    spec.add_mesh(name="mesh", file=part.mesh_file, scale=part.mesh_scale)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="mesh")
    model = spec.compile()
    if part.texture_file is None or not model.nmeshtexcoord:
        return {(float(own[0]), float(own[1]), float(own[2])): 1.0}
    corners = model.mesh_vert[model.mesh_face].astype(float)
    edges = corners[:, 1:] - corners[:, :1]
    area = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
    rng = np.random.default_rng(0)
    faces = rng.choice(len(area), _POINTS, p=area / area.sum())
    weights = rng.dirichlet((1.0, 1.0, 1.0), _POINTS)  # even over a triangle
    texcoord = model.mesh_texcoord[model.mesh_facetexcoord[faces]]
    uv = np.einsum("ni,nic->nc", weights, texcoord) % 1.0
    with open_picture(Path(part.texture_file), part.texture_file) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    rows = np.minimum((uv[:, 1] * pixels.shape[0]).astype(int), pixels.shape[0] - 1)
    columns = np.minimum((uv[:, 0] * pixels.shape[1]).astype(int), pixels.shape[1] - 1)
    found = pixels[rows, columns] / 255.0 * own
    counts = Counter(tuple(row) for row in (np.round(found * _STEPS) / _STEPS).tolist())
    return {(r, g, b): n / _POINTS for (r, g, b), n in sorted(counts.items())}
