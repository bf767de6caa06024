"""Blender's path tracer: a scene's light, and which die and what ink each pixel shows."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
import numpy.typing as npt
from mathutils import Matrix

from vision.training.blender.colours import Floats
from vision.training.blender.exr import read_exr
from vision.training.blender.meshes import add_object, scene
from vision.training.blender.view import View


@dataclass(frozen=True, slots=True)
class Render:
    """What the path tracer saw, height x width."""

    light: Floats
    """Linear, red first."""
    shown: npt.NDArray[np.int_]
    """Which die: its number from 1, or 0."""
    ink: Floats
    """How much of the pixel is drawing."""


def set_camera(view: View) -> None:
    """Let Blender look from there."""
    lens = bpy.data.cameras.new("cam")
    lens.angle = math.radians(view.field)
    lens.sensor_fit = "HORIZONTAL"
    lens.clip_start, lens.clip_end = 0.5, 3000
    camera = add_object("cam", lens)
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = view.axes.T, view.place
    camera.matrix_world = Matrix(matrix.tolist())
    scene().camera = camera
    scene().render.resolution_x, scene().render.resolution_y = view.width, view.height


def _settings(samples: int) -> None:
    render, cycles = scene().render, scene().cycles
    render.engine = "CYCLES"
    cycles.device = "CPU"
    cycles.samples = samples
    cycles.use_adaptive_sampling = False
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_prefilter = "FAST"
    cycles.denoising_quality = "BALANCED"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.max_bounces = 7
    cycles.diffuse_bounces = 2
    cycles.glossy_bounces = 2
    cycles.transmission_bounces = 6
    cycles.transparent_max_bounces = 6
    cycles.sample_clamp_indirect = 4
    cycles.sample_clamp_direct = 30
    cycles.blur_glossy = 0.5
    cycles.caustics_reflective = False
    cycles.caustics_refractive = False
    cycles.use_light_tree = False
    render.threads_mode = "FIXED"
    render.threads = 2
    layer = scene().view_layers[0]
    layer.use_pass_object_index = True
    ink = layer.aovs.add()
    ink.name, ink.type = "pip", "VALUE"
    form = render.image_settings
    form.media_type = "MULTI_LAYER_IMAGE"
    form.file_format = "OPEN_EXR_MULTILAYER"
    form.color_depth = "32"
    form.exr_codec = "NONE"
    form.use_exr_interleave = True
    render.use_file_extension = False


def render(samples: int) -> Render:
    """Trace what was put together, with so many paths a pixel."""
    _settings(samples)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "light.exr"
        scene().render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        channels = {name.split(".", 1)[1]: values for name, values in read_exr(path).items()}
    return Render(
        np.stack([channels["Combined." + c] for c in "RGB"], -1),
        np.round(next(values for name, values in channels.items() if "ndex" in name)).astype(int),
        next(values for name, values in channels.items() if name.startswith("pip")),
    )
