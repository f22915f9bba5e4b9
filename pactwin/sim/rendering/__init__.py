"""Pictures of scenes: room and light, cameras, rendering, visibility."""
