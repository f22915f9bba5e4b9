"""Pictures of scenes: room and light, cameras that show what decides, rendering, visibility."""
