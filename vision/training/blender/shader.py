"""Materials, put together from Blender's nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import bpy
import numpy as np


def add_image(name: str, pixels: Any) -> Any:
    """A picture of linear light for materials; row 0 lies at the bottom."""
    pixels = np.asarray(pixels, np.float32)
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, 2)
    pixels = np.concatenate([pixels, np.ones((*pixels.shape[:2], 1), np.float32)], 2)
    picture = bpy.data.images.new(name, pixels.shape[1], pixels.shape[0], float_buffer=True, is_data=True)
    picture.pixels.foreach_set(np.ascontiguousarray(pixels).ravel())
    picture.update()
    return picture


class Shader:
    """A material, and short ways to add nodes to it."""

    def __init__(self, name: str, **principled: Any) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.tree.nodes.clear()
        self.output = self.tree.nodes.new("ShaderNodeOutputMaterial")
        self.principled = self.node("ShaderNodeBsdfPrincipled")
        self.link(self.principled.outputs[0], self.output.inputs[0])
        self.set(self.principled, principled)

    def link(self, source: Any, target: Any) -> None:
        """Lead an output into an input."""
        self.tree.links.new(source, target)

    def set(self, node: Any, inputs: Mapping[Any, Any]) -> None:
        """Give a node's inputs values, or lead outputs into them; _ stands for a space in an input's name."""
        for key, value in inputs.items():
            socket = node.inputs[key.replace("_", " ") if isinstance(key, str) else key]
            if hasattr(value, "is_output"):
                self.link(value, socket)
            elif isinstance(value, (tuple, list, np.ndarray)):
                numbers = [float(x) for x in value]
                socket.default_value = [*numbers, 1.0] if socket.type == "RGBA" and len(numbers) == 3 else numbers
            else:
                socket.default_value = float(value) if socket.type == "VALUE" else value

    def node(self, kind: str, inputs: Mapping[Any, Any] | None = None, **settings: Any) -> Any:
        """A node of Blender's."""
        node = self.tree.nodes.new(kind)
        for key, value in settings.items():
            setattr(node, key, value)
        if inputs:
            self.set(node, inputs)
        return node

    def coordinates(
        self,
        what: str = "Object",
        scale: Any = None,
        turn: Sequence[float] = (0, 0, 0),
        shift: Sequence[float] = (0, 0, 0),
    ) -> Any:
        """Where on the thing a point lies."""
        plain = self.node("ShaderNodeTexCoord").outputs[what]
        if scale is None:
            return plain
        return self.node(
            "ShaderNodeMapping",
            {
                "Vector": plain,
                "Scale": (scale,) * 3 if np.isscalar(scale) else scale,
                "Rotation": turn,
                "Location": shift,
            },
        ).outputs[0]

    def noise(self, where: Any, scale: float, detail: float = 2, rough: float = 0.5, distortion: float = 0.0) -> Any:
        """Clouds, 0..1."""
        node = self.node(
            "ShaderNodeTexNoise",
            {"Vector": where, "Scale": scale, "Detail": detail, "Roughness": rough, "Distortion": distortion},
        )
        return node.outputs[0]

    def ramp(self, share: Any, stops: Sequence[tuple[float, Any]]) -> Any:
        """A colour for each share, between the stops."""
        node = self.node("ShaderNodeValToRGB", {0: share})
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (position, colour) in zip(elements, stops, strict=True):
            element.position = float(position)
            element.color = [float(v) for v in ((colour,) * 3 if np.isscalar(colour) else colour)] + [1.0]
        return node.outputs[0]

    def mix(self, share: Any, a: Any, b: Any, blend: str = "MIX") -> Any:
        """So much of b in a."""
        node = self.node("ShaderNodeMix", data_type="RGBA", blend_type=blend)
        self.set(node, {0: share, 6: a, 7: b})
        return node.outputs[2]

    def math(self, operation: str, a: Any, b: Any = 0.0) -> Any:
        """Two numbers made one."""
        return self.node("ShaderNodeMath", {0: a, 1: b}, operation=operation).outputs[0]

    def bump(self, height: Any, strength: float = 0.3, distance: float = 0.05, normal: Any = None) -> Any:
        """Relief, `distance` centimetres high."""
        node = self.node("ShaderNodeBump", {"Height": height, "Strength": strength, "Distance": distance})
        if normal is not None:
            self.link(normal, node.inputs["Normal"])
        return node.outputs[0]

    def texture(self, picture: Any, where: Any = None, interpolation: str = "Linear", extension: str = "REPEAT") -> Any:
        """A picture's colours."""
        node = self.node("ShaderNodeTexImage", image=picture, interpolation=interpolation, extension=extension)
        if where is not None:
            self.link(where, node.inputs[0])
        return node.outputs[0]

    def clear_shadow(self, colour: Any) -> None:
        """Let light to the table through, tinted: glass without the noise of caustics."""
        path = self.node("ShaderNodeLightPath")
        clear = self.node("ShaderNodeBsdfTransparent", {"Color": colour})
        mixed = self.node(
            "ShaderNodeMixShader",
            {0: path.outputs["Is Shadow Ray"], 1: self.principled.outputs[0], 2: clear.outputs[0]},
        )
        self.link(mixed.outputs[0], self.output.inputs[0])

    def thin_glass(self, tint: Any, body: Any = None, share: float = 0.0) -> None:
        """Clear walls that do not refract: with a mirror's sheen, and a share of a body's colour."""
        clear = self.node("ShaderNodeBsdfTransparent", {"Color": tint})
        sheen = self.node("ShaderNodeBsdfGlossy", {"Roughness": 0.03})
        inner = clear.outputs[0]
        if body is not None:
            diffuse = self.node("ShaderNodeBsdfDiffuse", {"Color": body})
            inner = self.node("ShaderNodeMixShader", {0: share, 1: inner, 2: diffuse.outputs[0]}).outputs[0]
        fresnel = self.node("ShaderNodeFresnel", {"IOR": 1.4})
        path = self.node("ShaderNodeLightPath")
        mirrored = self.math("MULTIPLY", fresnel.outputs[0], self.math("SUBTRACT", 1.0, path.outputs["Is Shadow Ray"]))
        whole = self.node("ShaderNodeMixShader", {0: mirrored, 1: inner, 2: sheen.outputs[0]})
        self.link(whole.outputs[0], self.output.inputs[0])


def simple(name: str, colour: Any, rough: float = 0.5) -> Any:
    """A material of one colour."""
    return Shader(name, Base_Color=colour, Roughness=rough).material
