"""Voice pucks without hardware, for the tests of nod: what a Voice PE is in Home Assistant, driven by events."""

from homeassistant.const import Platform

PLATFORMS = [Platform.ASSIST_SATELLITE, Platform.EVENT, Platform.LIGHT, Platform.MEDIA_PLAYER, Platform.STT, Platform.TTS]


async def async_setup_entry(hass, entry) -> bool:
    """Set a puck up."""
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    return True


async def async_unload_entry(hass, entry) -> bool:
    """Take a puck away."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
