"""ComfyUI: graphs that are queued by name, and looked up by it."""

from parley.connectors.comfyui.connector import ComfyUIConnector

__all__ = ["ComfyUIConnector"]
