"""Stable Diffusion WebUI (AUTOMATIC1111, Forge, SD.Next): its API under /sdapi."""

from parley.connectors.a1111.connector import A1111Connector

__all__ = ["A1111Connector"]
