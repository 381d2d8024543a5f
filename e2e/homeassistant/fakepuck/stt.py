"""Reads the text that the fake microphone streams in place of sound."""

from homeassistant.components import stt
from homeassistant.components.stt import SpeechResult, SpeechResultState

from .const import DOMAIN


async def async_setup_entry(hass, entry, add) -> None:
    """One for all pucks: the first makes it."""
    if not hass.data.setdefault(f"{DOMAIN}_stt", False):
        hass.data[f"{DOMAIN}_stt"] = True
        add([Ears()])


class Ears(stt.SpeechToTextEntity):
    """Understands every word, because it is written."""

    _attr_name = "fakepuck"
    _attr_unique_id = "fakepuck-stt"
    supported_languages = ["en", "pl", "ja"]
    supported_formats = [stt.AudioFormats.WAV]
    supported_codecs = [stt.AudioCodecs.PCM]
    supported_bit_rates = [stt.AudioBitRates.BITRATE_16]
    supported_sample_rates = [stt.AudioSampleRates.SAMPLERATE_16000]
    supported_channels = [stt.AudioChannels.CHANNEL_MONO]

    async def async_process_audio_stream(self, metadata, stream) -> SpeechResult:
        """Collect the text."""
        heard = bytearray()
        async for chunk in stream:
            heard += chunk
        return SpeechResult(bytes(heard).rstrip(b"\0").decode(), SpeechResultState.SUCCESS)
