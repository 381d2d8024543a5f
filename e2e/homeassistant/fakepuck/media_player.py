"""The speaker. The stock dial is its volume and nothing else."""

from homeassistant.components.media_player import MediaPlayerEntity, MediaPlayerEntityFeature, MediaPlayerState

from .const import SAID, TURN, VOLUME_MAX, VOLUME_MIN, VOLUME_STEP
from .entity import PuckEntity


async def async_setup_entry(hass, entry, add) -> None:
    """Add the speaker."""
    add([Speaker(entry, "Media player")])


class Speaker(PuckEntity, MediaPlayerEntity):
    """Plays nothing, and tells what it should have played."""

    _attr_supported_features = (
        MediaPlayerEntityFeature.PLAY_MEDIA
        | MediaPlayerEntityFeature.MEDIA_ANNOUNCE
        | MediaPlayerEntityFeature.VOLUME_SET
        | MediaPlayerEntityFeature.VOLUME_STEP
    )
    _attr_state = MediaPlayerState.IDLE
    _attr_volume_level = 0.6

    async def async_added_to_hass(self) -> None:
        """Wait for a hand on the dial."""
        await super().async_added_to_hass()
        self.when(TURN, self._turn)

    def _turn(self, data) -> None:
        step = VOLUME_STEP if data["direction"] == "clockwise" else -VOLUME_STEP
        self._attr_volume_level = round(min(VOLUME_MAX, max(VOLUME_MIN, self._attr_volume_level + step)), 2)
        self.async_write_ha_state()

    async def async_set_volume_level(self, volume: float) -> None:
        """Set the volume."""
        self._attr_volume_level = volume
        self.async_write_ha_state()

    async def async_play_media(self, media_type, media_id, **kwargs) -> None:
        """Tell what would sound."""
        self.hass.bus.async_fire(SAID, {"puck": self.puck, "kind": "media", "message": "", "media": media_id})
