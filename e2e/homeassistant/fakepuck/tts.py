"""A voice that makes the same chime of every text."""

from pathlib import Path

from homeassistant.components import assist_satellite
from homeassistant.components.tts import TextToSpeechEntity

from .const import DOMAIN


async def async_setup_entry(hass, entry, add) -> None:
    """One for all pucks: the first makes it."""
    if not hass.data.setdefault(f"{DOMAIN}_tts", False):
        hass.data[f"{DOMAIN}_tts"] = True
        add([Voice()])


class Voice(TextToSpeechEntity):
    """Speaks a chime."""

    _attr_name = "fakepuck"
    _attr_unique_id = "fakepuck-tts"
    _attr_default_language = "en"
    _attr_supported_languages = ["en", "pl", "ja"]

    def get_tts_audio(self, message, language, options):
        """Give a sound that needs no conversion: one that Home Assistant brings."""
        return "mp3", Path(assist_satellite.__file__).with_name("preannounce.mp3").read_bytes()
