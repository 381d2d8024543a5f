"""The button, and with other firmware the dial."""

from homeassistant.components.event import EventDeviceClass, EventEntity

from .const import PRESS, TURN
from .entity import PuckEntity


async def async_setup_entry(hass, entry, add) -> None:
    """Add what the firmware tells of."""
    add([Button(entry, "Button press")])
    if entry.data["dial"]:
        add([Dial(entry, "Dial")])


class Button(PuckEntity, EventEntity):
    """A single press is not told by the stock firmware."""

    _attr_device_class = EventDeviceClass.BUTTON
    _attr_event_types = ["double_press", "triple_press", "long_press", "easter_egg_press"]

    async def async_added_to_hass(self) -> None:
        """Wait for a finger."""
        self.when(PRESS, self._tell)

    def _tell(self, data) -> None:
        self._trigger_event(data["type"])
        self.async_write_ha_state()


class Dial(PuckEntity, EventEntity):
    """The small addition that tells of every step."""

    _attr_event_types = ["clockwise", "anticlockwise"]

    async def async_added_to_hass(self) -> None:
        """Wait for a hand."""
        self.when(TURN, self._tell)

    def _tell(self, data) -> None:
        self._trigger_event(data["direction"])
        self.async_write_ha_state()
