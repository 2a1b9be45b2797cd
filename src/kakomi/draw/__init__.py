"""Drawings of boards, as SVG and as text, from geometry and stones, for any game."""

from kakomi.draw.scene import Hint, Mark, MarkKind, Overlay, Scene, Style

__all__ = ["Hint", "Mark", "MarkKind", "Overlay", "Scene", "Style"]
