"""The satellite. Home Assistant's own pipeline runs; only sound is replaced: the microphone streams the text itself."""

import asyncio

from homeassistant.components.assist_pipeline import PipelineEvent, PipelineEventType
from homeassistant.components.assist_satellite import (
    AssistSatelliteConfiguration,
    AssistSatelliteEntity,
    AssistSatelliteEntityFeature,
)

from .const import HEAR, HOLD, SAID
from .entity import PuckEntity

CHUNK = 320  # ten milliseconds, as the pipeline cuts sound


async def async_setup_entry(hass, entry, add) -> None:
    """Add the satellite."""
    add([PuckSatellite(entry, "Assist satellite")])


class PuckSatellite(PuckEntity, AssistSatelliteEntity):
    """Says what it is told to, and hears what a test says."""

    _attr_supported_features = AssistSatelliteEntityFeature.ANNOUNCE | AssistSatelliteEntityFeature.START_CONVERSATION

    def __init__(self, entry, name: str) -> None:
        """Start quiet, with a free tongue."""
        super().__init__(entry, name)
        self._entry = entry
        self._spoken: asyncio.Queue[str] = asyncio.Queue()
        self._listening = False
        self._played = asyncio.Event()
        self._played.set()

    async def async_added_to_hass(self) -> None:
        """Listen to the test."""
        await super().async_added_to_hass()
        self.when(HEAR, self._hear)
        self.when(HOLD, lambda data: self._played.clear() if data["hold"] else self._played.set())

    def async_get_configuration(self) -> AssistSatelliteConfiguration:
        """Know one wake word, as a puck does."""
        return AssistSatelliteConfiguration(available_wake_words=[], active_wake_words=[], max_active_wake_words=1)

    async def async_set_configuration(self, config) -> None:
        """Keep the wake word."""

    async def async_announce(self, announcement) -> None:
        """Say it; it takes as long as the test holds the speaker."""
        self._say("announce", announcement)
        await self._played.wait()

    async def async_start_conversation(self, start_announcement) -> None:
        """Say it, then open the microphone, as the device does after the last word."""
        self._say("ask", start_announcement)
        await self._played.wait()
        self._listen()

    def on_pipeline_event(self, event: PipelineEvent) -> None:
        """Speak the answer of a pipeline."""
        if event.type is PipelineEventType.TTS_START and event.data:
            self._tell("reply", event.data.get("tts_input", ""))
        elif event.type is PipelineEventType.TTS_END:
            self.tts_response_finished()
        elif event.type is PipelineEventType.ERROR and event.data:
            self._tell("error", event.data.get("code", ""))

    def _say(self, kind: str, announcement) -> None:
        self._tell(kind, announcement.message, media=announcement.original_media_id, chime=bool(announcement.preannounce_media_id))

    def _tell(self, kind: str, message: str, **more) -> None:
        self.hass.bus.async_fire(SAID, {"puck": self.puck, "kind": kind, "message": message, **more})

    def _hear(self, data) -> None:
        # Without a question it is what comes after the wake word.
        self._spoken.put_nowait(data["text"])
        if not self._listening and self._ask_question_future is None:
            self._listen()

    def _listen(self) -> None:
        self._listening = True

        async def run() -> None:
            try:
                await self.async_accept_pipeline_from_satellite(self._microphone())
            finally:
                self._listening = False

        self._entry.async_create_background_task(self.hass, run(), f"{self.entity_id} listens")

    async def _microphone(self):
        text = (await self._spoken.get()).encode()
        if text:
            yield text + bytes(-len(text) % CHUNK)
