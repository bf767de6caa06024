"""Renders a scene with Mitsuba 3 (extra `train`): light, and what each pixel shows.

Uses the LLVM backend: install Debian's libllvm; if it is not found, set DRJIT_LIBLLVM_PATH.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import drjit as dr
import mitsuba as mi
import numpy as np

from vision.training.traced.camera import Ids
from vision.training.traced.game_table import TracedScene
from vision.training.traced.objects.mesh import Floats, Mesh
from vision.training.traced.objects.surfaces import Surface

mi.set_variant("llvm_ad_rgb")
mi.set_log_level(mi.LogLevel.Error)  # the sampler rounds the number of paths up, and logs that each time


@dataclass(frozen=True, slots=True)
class Render:
    """light: height x width x 3, linear, red first; die: height x width, index of the die in the scene or -1.

    stuff: height x width x 3, the unlit colours.
    """

    light: Floats
    die: Ids
    stuff: Floats


def _colour(picture: Floats) -> dict[str, object]:
    return {"type": "bitmap", "bitmap": mi.Bitmap(np.ascontiguousarray(picture)), "raw": True, "wrap_mode": "clamp"}


def _rgb(surface: Surface) -> dict[str, object]:
    if surface.picture is not None:
        return _colour(surface.picture)
    return {"type": "rgb", "value": list(surface.colour)}


def _bsdf(surface: Surface) -> dict[str, object]:
    match surface.kind:
        case "matt":
            return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": _rgb(surface)}}
        case "plastic":
            return {"type": "twosided", "bsdf": {"type": "plastic", "diffuse_reflectance": _rgb(surface)}}
        case "satin":
            inner = {"type": "roughplastic", "diffuse_reflectance": _rgb(surface), "alpha": surface.rough}
            return {"type": "twosided", "bsdf": inner}
        case "metal":
            return {"type": "twosided", "bsdf": {"type": "roughconductor", "material": "none",
                    "specular_reflectance": _rgb(surface), "alpha": surface.rough}}  # fmt: skip
        case "shell":
            return {"type": "thindielectric"}
    assert surface.ink is not None
    assert surface.picture is not None
    tint = {"type": "rgb", "value": [float(np.sqrt(c)) for c in surface.colour]}
    body = {"type": "rgb", "value": list(surface.colour)}
    paint = {"type": "rgb", "value": surface.picture[0, 0].tolist()}
    cloudy = {
        "type": "blendbsdf",
        "weight": surface.cloudy,
        "clear": {"type": "dielectric", "int_ior": 1.49, "specular_transmittance": tint},
        "milk": {"type": "twosided", "bsdf": {"type": "plastic", "diffuse_reflectance": body}},
    }
    return {
        "type": "blendbsdf",
        "weight": {"type": "bitmap", "bitmap": mi.Bitmap(np.ascontiguousarray(surface.ink[..., None])), "raw": True},
        "body": cloudy,
        "ink": {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": paint}},
    }


def _shape(mesh: Mesh, bsdf: Any) -> Any:
    props = mi.Properties()
    props["bsdf"] = bsdf
    result = mi.Mesh("mesh", len(mesh.points), len(mesh.triangles), props, True, True)
    params = mi.traverse(result)
    params["vertex_positions"] = mesh.points.ravel()
    params["vertex_normals"] = mesh.normals.ravel()
    params["vertex_texcoords"] = mesh.uv.ravel()
    params["faces"] = mesh.triangles.ravel()
    params.update()
    return result


def _world(scene: TracedScene, samples: int) -> dict[str, object]:
    view = scene.view
    T = mi.ScalarTransform4f
    world: dict[str, object] = {
        "type": "scene",
        "sensor": {
            "type": "perspective",
            "fov": view.fov,
            "fov_axis": "x",
            "near_clip": 50.0,
            "far_clip": 9000.0,
            "to_world": T().look_at(origin=view.eye.tolist(), target=[0, 0, 0], up=[0, 1, 0]),
            "film": {"type": "hdrfilm", "width": view.width, "height": view.height, "pixel_format": "rgb",
                     "component_format": "float32", "rfilter": {"type": "box"}},
            "sampler": {"type": "multijitter", "sample_count": samples},
        },
        "sky": {
            "type": "envmap",
            "bitmap": mi.Bitmap(np.ascontiguousarray(scene.sky)),
            "to_world": T().rotate([1, 0, 0], 90),
        },
    }  # fmt: skip
    made: dict[int, Any] = {}
    for k, die in enumerate(scene.dice):
        key = id(die.surface)
        if key not in made:
            made[key] = mi.load_dict(_bsdf(die.surface))
        world[f"die{k:03d}"] = _shape(die.mesh, made[key])
    for k, part in enumerate(scene.parts):
        world[f"part{k:03d}"] = _shape(part.mesh, mi.load_dict(_bsdf(part.surface)))
    for k, lamp in enumerate(scene.lamps):
        side = [0, 0, 1] if abs(lamp.place[0]) + abs(lamp.place[1]) > 1 else [0, 1, 0]
        aim = T().look_at(origin=list(lamp.place), target=list(lamp.target), up=side)
        world[f"lamp{k:03d}"] = {
            "type": "disk",
            "to_world": aim @ T().scale(lamp.radius),
            "emitter": {"type": "area", "radiance": {"type": "rgb", "value": list(lamp.radiance)}},
        }
    return world


def _calm(light: Floats, albedo: Floats) -> Floats:
    """Remove the path tracer's noise from the light, keeping printed detail sharp."""
    middle = cv2.medianBlur(light, 3)
    outliers = light.max(-1) > 3 * middle.max(-1) + 0.02 * float(light.mean())
    calm = np.where(outliers[..., None], middle, light)
    stuff = np.maximum(albedo, 0.02)
    falling = np.log(np.maximum(calm / stuff, 1e-4)).astype(np.float32)
    for _ in range(2):
        falling = cv2.bilateralFilter(falling, 5, 0.55, 1.6)
    return np.asarray(np.exp(falling) * stuff, np.float32)


def render(scene: TracedScene, samples: int, seed: int) -> Render:
    """Trace a scene with this many paths per pixel; deterministic for a seed."""
    world = mi.load_dict(_world(scene, samples), optimize=False)
    deep = 9 if any(die.make == "clear" for die in scene.dice) else 5
    path = mi.load_dict({"type": "path", "max_depth": deep, "rr_depth": 4})
    light = np.array(mi.render(world, integrator=path, spp=samples, seed=seed), np.float32)[..., :3]
    stuff = mi.load_dict({"type": "aov", "aovs": "stuff:albedo"})
    albedo = np.array(mi.render(world, integrator=stuff, spp=8, seed=seed + 1), np.float32)[..., -3:]
    which = mi.load_dict({"type": "aov", "aovs": "id:shape_index"})
    die_ids = np.array(mi.render(world, integrator=which, spp=1, seed=seed + 2), np.float32)[..., -1]
    index = np.rint(die_ids).astype(np.int64)
    die = np.full(index.shape, -1, np.int64)
    for shape in world.shapes():  # pixels have the numbers of Mitsuba's registry, not of the scene
        if shape.id().startswith("die"):
            number = int(dr.reinterpret_array(mi.UInt32, mi.ShapePtr(shape))[0])
            die[index == number] = int(shape.id()[3:])
    albedo = np.nan_to_num(albedo)
    return Render(_calm(np.nan_to_num(light), albedo), die, albedo)
